import { ApplicationFailure } from '@temporalio/common'
import { Agent, request } from 'undici'
import { checkedLookup, formFault } from '#addresses'
import { longestUpload, type UploadedFile } from '#api'
import { faultFailure, finalFailure } from './failures.ts'

export interface FetchOptions {
  /** Lets plain http, private and loopback addresses through. */
  readonly privateAllowed: boolean
  readonly signal: AbortSignal
  /** Told how many bytes have come, again and again. */
  readonly onFetched: (bytes: number) => void
}

/** Milliseconds for the connection, and for the whole file. */
const [longestConnecting, longestFetch] = [5_000, 120_000]

/** Statuses that a later attempt can mend; below 500 the others say that there is no such file for us. */
const passing = [408, 425, 429]

/** How spreadsheets begin; anything else is taken for a text. */
const beginnings = { xls: [0xd0, 0xcf, 0x11, 0xe0], xlsx: [0x50, 0x4b, 0x03, 0x04] } as const

/**
 * Fetches a file of at most 10 MiB. The address that is checked is the one that is dialled, and redirects are not
 * followed. Failures name neither the address, which can hold a secret, nor what its server wrote.
 */
export async function fetchFile(url: string, options: FetchOptions): Promise<UploadedFile> {
  const { privateAllowed, signal } = options
  const fault = formFault(url, privateAllowed)
  if (fault !== undefined) throw finalFailure('InvalidFileUrl', `request.${fault}`)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(longestFetch)])
  const agent = new Agent({ connect: { lookup: checkedLookup(privateAllowed), timeout: longestConnecting } })
  try {
    const { statusCode, headers, body } = await request(url, { dispatcher: agent, signal: limit })
    if (statusCode !== 200) throw failureOf(statusCode)
    if (Number(headers['content-length']) > longestUpload) throw tooLarge()
    const bytes = await read(body, options.onFetched)
    return { name: nameOf(new URL(url), bytes), bytes }
  } catch (error) {
    throw error instanceof ApplicationFailure ? error : asFailure(error)
  } finally {
    await agent.destroy()
  }
}

async function read(body: AsyncIterable<Buffer>, onFetched: (bytes: number) => void) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > longestUpload) throw tooLarge()
    chunks.push(chunk)
    onFetched(size)
  }
  return Buffer.concat(chunks)
}

/** The service wants a name that fits the content: the one in the address, or else one that says what came. */
function nameOf({ pathname }: URL, bytes: Uint8Array): string {
  const [last = ''] = pathname.split('/').slice(-1)
  const named = /^[\w.()~ -]{1,95}\.(csv|xlsx?)$/i.exec(decoded(last))
  if (named !== null) return named[0]
  const found = Object.entries(beginnings).find(([, beginning]) => beginning.every((byte, at) => bytes[at] === byte))
  return `suggestions.${found?.[0] ?? 'csv'}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

function failureOf(status: number) {
  const passes = status >= 500 || passing.includes(status)
  const text = `The address answered with HTTP ${status}.`
  return passes ? faultFailure('FileNotFetched', text) : finalFailure('FileNotFetched', text)
}

function tooLarge() {
  return finalFailure('FileTooLarge', `The file has more than ${longestUpload} bytes.`)
}

/** What a connection threw, by its code alone. */
function asFailure(error: unknown): ApplicationFailure {
  const { code: given, name } = error as { code?: unknown; name?: unknown }
  const code = typeof given === 'string' ? given : name
  if (code === 'EFORBIDDENADDRESS') return finalFailure('InvalidFileUrl', 'request.url leads to a forbidden address')
  return faultFailure('FileNotFetched', `The file could not be fetched: ${code}.`)
}
