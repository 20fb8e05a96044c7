import { type Callback, callback } from './callback.ts'
import { normalizeKeys } from './casing.ts'
import { checkWebhookSignature, type SignatureError } from './signature.ts'

/** Headers of a request: those of `node:http`, Express, Fastify or a serverless platform, in any casing, or those of `fetch`. */
export type CallbackHeaders =
  | Readonly<Record<string, string | string[] | undefined>>
  | { get(name: string): string | null; forEach(visit: (value: string, name: string) => void): void }

/** A verified callback, or the reason of its rejection. A receiver answers a rejected one with 401. */
export type VerifiedCallback =
  | { readonly ok: true; readonly callback: Callback }
  | { readonly ok: false; readonly reason: SignatureError | 'body is not a callback' }

/**
 * Verifies the signature of a callback (Standard Webhooks) and reads it. The signature covers the bytes as they were sent,
 * so pass the body before a framework parses it.
 *
 * ```ts
 * const verified = verifyCallback(request.headers, rawBody, [key])
 * if (verified.ok) console.log(verified.callback.message.stateCode)
 * ```
 * @param keys all accepted keys: two while a key is rotated
 * @throws TypeError without keys, with an empty or malformed one, and for an argument of another type
 */
export function verifyCallback(
  headers: CallbackHeaders,
  rawBody: string | Uint8Array,
  keys: readonly string[],
): VerifiedCallback {
  // Programs in JavaScript pass the body that a framework has parsed.
  if (typeof rawBody !== 'string' && !ArrayBuffer.isView(rawBody))
    throw new TypeError('rawBody: must be the text or the bytes of the body as they arrived.')
  const reason = checkWebhookSignature(keys, toRecord(headers), rawBody, Math.floor(Date.now() / 1_000))
  if (reason !== undefined) return { ok: false, reason }
  const read = callback.safeParse(parse(rawBody))
  return read.success ? { ok: true, callback: read.data } : { ok: false, reason: 'body is not a callback' }
}

function toRecord(headers: CallbackHeaders): Readonly<Record<string, string | string[] | undefined>> {
  // The check of the signature refuses missing ones.
  if (!headers) return headers
  const record: Record<string, string | string[] | undefined> = {}
  const add = (value: string | string[] | undefined, name: string) => {
    record[name.toLowerCase()] = value
  }
  if (isIterable(headers)) headers.forEach(add)
  else for (const [name, value] of Object.entries(headers)) add(value, name)
  return record
}

function isIterable(
  headers: CallbackHeaders,
): headers is Extract<CallbackHeaders, { get(name: string): string | null }> {
  return typeof headers.get === 'function'
}

const firstWins = () => undefined

/** The gateway accepts keys in any casing and a byte order mark, and so does a receiver. */
function parse(body: string | Uint8Array): unknown {
  try {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    return normalizeKeys(callback, JSON.parse(new TextDecoder().decode(bytes)), firstWins)
  } catch {
    return undefined
  }
}
