import { ApplicationFailure } from '@temporalio/common'
import { Agent, request } from 'undici'
import { maxUploadBytes, type UploadedFile } from '#contract/client'
import { checkedLookup, requestErrorCode, validateUrlSyntax } from '#platform/addresses'
import { nonRetryable, retryable } from './failures.ts'

export interface FetchOptions {
  /** Allows plain http, and private and loopback addresses. */
  readonly allowPrivateNetworks: boolean
  readonly signal: AbortSignal
  /** Called with the number of bytes so far. */
  readonly onFetched: (bytes: number) => void
  readonly pace?: Pace
}

/** The minimum rate of a download: this many bytes in each interval, which includes the wait for the response. Milliseconds. */
export interface Pace {
  readonly bytes: number
  readonly interval: number
}

/** A server that sends a byte a second would otherwise hold a slot for the whole timeout, with each attempt. */
const minPace: Pace = { bytes: 128 * 1_024, interval: 20_000 }

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
  const { allowPrivateNetworks, signal, onFetched, pace = minPace } = options
  const fault =
    url.length > maxAddress
      ? `url must be at most ${maxAddress} characters`
      : validateUrlSyntax(url, allowPrivateNetworks)
  if (fault !== undefined) throw nonRetryable('InvalidFileUrl', `request.${fault}`)
  const watch = watchPace(pace)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(fetchTimeout), watch.signal])
  const agent = new Agent({ connect: { lookup: checkedLookup(allowPrivateNetworks), timeout: connectTimeout } })
  try {
    const { statusCode, headers, body } = await request(url, { dispatcher: agent, signal: limit })
    if (statusCode !== 200) throw toStatusFailure(statusCode)
    if (Number(headers['content-length']) > maxUploadBytes) throw tooLarge()
    const bytes = await read(body, size => {
      watch.note(size)
      onFetched(size)
    })
    return { name: toFileName(new URL(url), bytes), bytes }
  } catch (error) {
    throw error instanceof ApplicationFailure ? error : toFailure(error, allowPrivateNetworks)
  } finally {
    watch.end()
    await agent.destroy()
  }
}

/** Aborts its signal when an interval brings too few bytes. */
function watchPace({ bytes, interval }: Pace) {
  const controller = new AbortController()
  let [size, sizeBefore] = [0, 0]
  const timer = setInterval(() => {
    if (size - sizeBefore < bytes) {
      const text = `The server sent less than ${bytes} bytes in ${interval / 1_000} s.`
      controller.abort(retryable('FileNotFetched', text))
    }
    sizeBefore = size
  }, interval)
  return {
    signal: controller.signal,
    note(total: number) {
      size = total
    },
    end: () => clearInterval(timer),
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

function toFailure(error: unknown, allowPrivateNetworks: boolean): ApplicationFailure {
  const code = requestErrorCode(error)
  // One result for both, or a caller could find out which names a private network has.
  if (!allowPrivateNetworks && ['EFORBIDDENADDRESS', 'ENOTFOUND'].includes(code))
    return nonRetryable('InvalidFileUrl', 'request.url: must lead to a public host that can be resolved.')
  if (code === 'EFORBIDDENADDRESS')
    return nonRetryable('InvalidFileUrl', 'request.url: must lead to a host that is not link-local.')
  return retryable('FileNotFetched', `The file could not be fetched: ${code}.`)
}
