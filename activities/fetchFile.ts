import { ApplicationFailure } from '@temporalio/common'
import { Agent, request } from 'undici'
import { checkedLookup, requestErrorCode, validateUrlSyntax } from '#addresses'
import { maxUploadBytes, type UploadedFile } from '#api'
import { nonRetryable, retryable } from './failures.ts'

export interface FetchOptions {
  /** Allows plain http, and private and loopback addresses. */
  readonly allowPrivateNetworks: boolean
  readonly signal: AbortSignal
  /** Called with the number of bytes so far. */
  readonly onFetched: (bytes: number) => void
}

/** Timeouts of the connection and of the whole file, in milliseconds. */
const [connectTimeout, fetchTimeout] = [5_000, 120_000]

/** Characters. */
const maxAddress = 2_000

/** Statuses below 500 that are worth a retry. The others mean that the file is missing or not public. */
const transientStatuses = [408, 425, 429]

/** The first bytes of spreadsheets. Anything else counts as text. */
const magicNumbers = { xls: [0xd0, 0xcf, 0x11, 0xe0], xlsx: [0x50, 0x4b, 0x03, 0x04] } as const

/**
 * Fetches a file of at most 10 MiB. The address is checked when it is dialled, and redirects are not followed. Failures
 * contain neither the address, which can hold a secret, nor the response.
 */
export async function fetchFile(url: string, options: FetchOptions): Promise<UploadedFile> {
  const { allowPrivateNetworks, signal } = options
  const fault =
    url.length > maxAddress
      ? `url must be at most ${maxAddress} characters`
      : validateUrlSyntax(url, allowPrivateNetworks)
  if (fault !== undefined) throw nonRetryable('InvalidFileUrl', `request.${fault}`)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(fetchTimeout)])
  const agent = new Agent({ connect: { lookup: checkedLookup(allowPrivateNetworks), timeout: connectTimeout } })
  try {
    const { statusCode, headers, body } = await request(url, { dispatcher: agent, signal: limit })
    if (statusCode !== 200) throw toStatusFailure(statusCode)
    if (Number(headers['content-length']) > maxUploadBytes) throw tooLarge()
    const bytes = await read(body, options.onFetched)
    return { name: toFileName(new URL(url), bytes), bytes }
  } catch (error) {
    throw error instanceof ApplicationFailure ? error : toFailure(error)
  } finally {
    await agent.destroy()
  }
}

async function read(body: AsyncIterable<Buffer>, onFetched: (bytes: number) => void) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxUploadBytes) throw tooLarge()
    chunks.push(chunk)
    onFetched(size)
  }
  return Buffer.concat(chunks)
}

/** The service requires a name that fits the content: the name in the address, or one made from the first bytes. */
function toFileName({ pathname }: URL, bytes: Uint8Array): string {
  const [last = ''] = pathname.split('/').slice(-1)
  const named = /^[\w.()~ -]{1,95}\.(csv|xlsx?)$/i.exec(decode(last))
  if (named !== null) return named[0]
  const found = Object.entries(magicNumbers).find(([, magic]) => magic.every((byte, at) => bytes[at] === byte))
  return `suggestions.${found?.[0] ?? 'csv'}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

function toStatusFailure(status: number) {
  const isTransient = status >= 500 || transientStatuses.includes(status)
  const text = `The address responded with HTTP ${status}.`
  return isTransient ? retryable('FileNotFetched', text) : nonRetryable('FileNotFetched', text)
}

function tooLarge() {
  return nonRetryable('FileTooLarge', `The file has more than ${maxUploadBytes} bytes.`)
}

function toFailure(error: unknown): ApplicationFailure {
  const code = requestErrorCode(error)
  if (code === 'EFORBIDDENADDRESS')
    return nonRetryable('InvalidFileUrl', 'request.url: must not lead to a private address.')
  return retryable('FileNotFetched', `The file could not be fetched: ${code}.`)
}
