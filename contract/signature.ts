import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The service's own callback signature, an HMAC of the shipment uid only (specification, Events). It covers neither the
 * state nor the time, so it is safe only together with Standard Webhooks, or as a hint to poll.
 */
export interface UidSignatureScheme {
  readonly header: string
  readonly algorithm: 'sha256' | 'sha384' | 'sha512'
  readonly encoding: 'hex' | 'base64'
}

export const defaultUidSignatureScheme: UidSignatureScheme = { header: 'x-hmac', algorithm: 'sha256', encoding: 'hex' }
export const apiKeyHeader = 'x-api-key'

/**
 * Headers of Standard Webhooks, which signs id, time and body.
 *
 * ```ts
 * const id = request.headers[webhookHeaders.id]
 * ```
 */
export const webhookHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const

/**
 * Tolerated clock skew in seconds. Standard Webhooks suggests five minutes; ours is larger, because a clock that is ten
 * minutes off must not cut a flow off from its callbacks.
 */
export const timestampTolerance = 900

/** The reason why a signature is not accepted. */
export type SignatureError =
  | 'missing header'
  | 'malformed timestamp'
  | 'timestamp too old'
  | 'timestamp in the future'
  | 'signature does not match'

const secretPrefix = 'whsec_'
/** Base64 of at least 16 bytes, with its padding, which some libraries require. */
const secretForm = /^whsec_(?:[A-Za-z0-9+/]{4}){5,}(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/

export const mustBeWebhookKey = 'must have base64 of at least 16 bytes after whsec_'

/** False for a key that begins with `whsec_` and is no secret of Standard Webhooks. */
export function isWebhookKey(key: string): boolean {
  return !key.startsWith(secretPrefix) || secretForm.test(key)
}

/**
 * The key of a Standard Webhooks signature: the bytes after `whsec_`, as the libraries read them, and a text without it as UTF-8.
 * @throws TypeError
 */
function toWebhookKey(key: string): string | Buffer {
  if (!isWebhookKey(key)) throw new TypeError(`keys: a key ${mustBeWebhookKey}.`)
  return key.startsWith(secretPrefix) ? Buffer.from(key.slice(secretPrefix.length), 'base64') : key
}

/** The key is the whole text as UTF-8, even if it begins with `whsec_`. */
export function uidSignature(
  key: string,
  shipmentUid: string,
  scheme: UidSignatureScheme = defaultUidSignatureScheme,
): string {
  return createHmac(scheme.algorithm, key).update(shipmentUid).digest(scheme.encoding)
}

/**
 * True if one of the keys produces this signature of the shipment uid.
 * @throws TypeError without keys, or with an empty one
 */
export function isValidUidSignature(
  keys: readonly string[],
  shipmentUid: string,
  signature: string | undefined,
  scheme: UidSignatureScheme = defaultUidSignatureScheme,
): boolean {
  requireKeys(keys)
  if (signature === undefined) return false
  // Services write hex in either casing.
  const received = scheme.encoding === 'hex' ? signature.toLowerCase() : signature
  return keys.some(key => equal(uidSignature(key, shipmentUid, scheme), received))
}

/**
 * The value of `webhook-signature`: one `v1` signature per key, newest key first. A key is a text, or `whsec_` and base64.
 *
 * ```ts
 * const now = Math.floor(Date.now() / 1_000)
 * const headers = {
 *   [webhookHeaders.id]: 'msg_1',
 *   [webhookHeaders.timestamp]: String(now),
 *   [webhookHeaders.signature]: webhookSignature([key], 'msg_1', now, body),
 * }
 * ```
 */
export function webhookSignature(keys: readonly string[], id: string, timestamp: number, body: string): string {
  return keys.map(key => `v1,${webhookDigest(key, id, String(timestamp), body)}`).join(' ')
}

/** The headers of Standard Webhooks of a message. `timestamp`: seconds since 1970. */
export function webhookSignatureHeaders(
  keys: readonly string[],
  id: string,
  timestamp: number,
  body: string,
): Record<string, string> {
  return {
    [webhookHeaders.id]: id,
    [webhookHeaders.timestamp]: String(timestamp),
    [webhookHeaders.signature]: webhookSignature(keys, id, timestamp, body),
  }
}

/** A Standard Webhooks signature that is checked while the body arrives, so that a long body needs no buffer. */
export interface WebhookSignatureCheck {
  /** Adds the next bytes of the body. */
  update(bytes: string | Uint8Array): void
  /** Returns the problem, or undefined. Call it once, after the last bytes. */
  fault(): SignatureError | undefined
}

/** Senders sign with one key, or with two during a rotation. More signatures only cost time. */
const maxSignatures = 10

/**
 * Checks the Standard Webhooks headers of a message before its body.
 * @param now seconds since 1970
 * @returns the problem, or the check of the body
 * @throws TypeError without keys, with an empty or malformed one, or without a time
 */
export function beginWebhookCheck(
  keys: readonly string[],
  headers: Readonly<Record<string, string | string[] | undefined>>,
  now: number,
): SignatureError | WebhookSignatureCheck {
  requireKeys(keys)
  if (!headers) throw new TypeError('headers: must be the headers of the request.')
  // A comparison with NaN would accept every age.
  if (!Number.isFinite(now)) throw new TypeError('now: must be a number of seconds since 1970.')
  const secrets = keys.map(toWebhookKey)
  const id = headers[webhookHeaders.id]
  const timestamp = headers[webhookHeaders.timestamp]
  const signatures = headers[webhookHeaders.signature]
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return 'missing header'
  if (!/^\d{1,15}$/.test(timestamp)) return 'malformed timestamp'
  if (Number(timestamp) < now - timestampTolerance) return 'timestamp too old'
  if (Number(timestamp) > now + timestampTolerance) return 'timestamp in the future'
  const received = signatures
    .split(' ', maxSignatures)
    .filter(signature => signature.startsWith('v1,'))
    .map(signature => signature.slice('v1,'.length))
  const digests = secrets.map(secret => createHmac('sha256', secret).update(`${id}.${timestamp}.`))
  return {
    update(bytes) {
      for (const digest of digests) digest.update(bytes)
    },
    fault() {
      const expected = digests.map(digest => digest.digest('base64'))
      const isValid = expected.some(text => received.some(signature => equal(text, signature)))
      return isValid ? undefined : 'signature does not match'
    },
  }
}

/**
 * Verifies the Standard Webhooks headers of a message.
 *
 * ```ts
 * const fault = checkWebhookSignature([key], request.headers, body, Date.now() / 1_000)
 * if (fault !== undefined) console.error(`401: ${fault}`)
 * ```
 * @param now seconds since 1970
 * @returns the problem, or undefined
 * @throws TypeError without keys, with an empty or malformed one, or without a time
 */
export function checkWebhookSignature(
  keys: readonly string[],
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string | Uint8Array,
  now: number,
): SignatureError | undefined {
  const check = beginWebhookCheck(keys, headers, now)
  if (typeof check === 'string') return check
  check.update(body)
  return check.fault()
}

/**
 * A key in the format that Standard Webhooks libraries expect. One that has it already stays.
 *
 * ```ts
 * const secret = webhookSecret(key)
 * // new Webhook(secret).verify(body, headers)
 * ```
 */
export function webhookSecret(key: string): string {
  return key.startsWith(secretPrefix) ? key : `${secretPrefix}${Buffer.from(key, 'utf8').toString('base64')}`
}

function webhookDigest(key: string, id: string, timestamp: string, body: string): string {
  return createHmac('sha256', toWebhookKey(key)).update(`${id}.${timestamp}.${body}`).digest('base64')
}

/** With an empty key, such as that of a variable that is not set, everyone can sign. */
function requireKeys(keys: readonly string[]): void {
  if (!Array.isArray(keys)) throw new TypeError('keys: must be a list of keys, such as [key].')
  if (keys.length > 0 && keys.every(key => key)) return
  throw new TypeError('keys: must contain at least one key, and no empty one. Is the variable of the key set?')
}

function equal(expected: string, actual: string): boolean {
  const expectedBytes = Buffer.from(expected)
  const actualBytes = Buffer.from(actual)
  return expectedBytes.length === actualBytes.length && timingSafeEqual(expectedBytes, actualBytes)
}
