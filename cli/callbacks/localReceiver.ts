import { request } from 'undici'
import { type Callback, callback, defaultUidSignatureScheme, uidSignature, webhookSignatureHeaders } from '#contract'
import { misuse } from '../command/failure.ts'

/** A callback that is sent to a local receiver. */
export interface LocalCallback {
  readonly messageId: string
  readonly shipmentUid: string
  /** As the service sent it. */
  readonly body: string
}

/** The response of a local receiver. */
export interface LocalAnswer {
  readonly accepted: boolean
  /** The status of the response, or the code of an error without a response. */
  readonly answer: string
  readonly durationMs: number
}

/** Milliseconds, as for callbacks of the service. */
const timeout = 15_000

/** @throws CommandFailure that names the argument */
export function requireLocalUrl(name: string, text: string): string {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href
  throw misuse(`${name}: must be an address such as http://127.0.0.1:3000/callbacks, got "${text}".`)
}

/** Signs a callback as the service does, at the present time, and posts it. Never throws. */
export async function postLocally(url: string, key: string, sent: LocalCallback): Promise<LocalAnswer> {
  const startedAt = performance.now()
  const timestamp = Math.floor(Date.now() / 1_000)
  const { messageId, shipmentUid, body: text } = sent
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'lockerflow',
    ...webhookSignatureHeaders([key], messageId, timestamp, text),
    [defaultUidSignatureScheme.header]: uidSignature(key, shipmentUid),
  }
  const took = () => Math.round(performance.now() - startedAt)
  try {
    const signal = AbortSignal.timeout(timeout)
    const { statusCode, body } = await request(url, { method: 'POST', headers, body: text, signal })
    await body.dump()
    return { accepted: statusCode >= 200 && statusCode < 300, answer: String(statusCode), durationMs: took() }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'error'
    return { accepted: false, answer: code, durationMs: took() }
  }
}

/** The message of a body; undefined for a body of another form. */
export function readMessage(body: string): Callback['message'] | undefined {
  try {
    return callback.safeParse(JSON.parse(body)).data?.message
  } catch {
    return undefined
  }
}
