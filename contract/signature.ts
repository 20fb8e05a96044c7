import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The service's own signature of a callback: a hash of nothing but the shipment uid (specification, Events).
 * It proves neither the state nor the time, so it is only ever one of two schemes, or a hint to look.
 */
export interface WeakScheme {
  readonly header: string
  readonly algorithm: 'sha256' | 'sha384' | 'sha512'
  readonly encoding: 'hex' | 'base64'
}

export const defaultWeakScheme: WeakScheme = { header: 'x-hmac', algorithm: 'sha256', encoding: 'hex' }
export const apiKeyHeader = 'x-api-key'

/** Headers of the Standard Webhooks scheme; it covers id, time and the whole body. */
export const webhookHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const

/**
 * How far the clocks of sender and receiver may be apart, in seconds. Standard Webhooks suggests five minutes;
 * a clock ten minutes off must not cut a flow off from its callbacks.
 */
export const timestampTolerance = 900

export type SignatureFault =
  | 'missing header'
  | 'malformed timestamp'
  | 'timestamp too old'
  | 'timestamp in the future'
  | 'signature does not match'

/** The weak signature of a shipment uid under a key taken as UTF-8. */
export function weakSignature(key: string, shipmentUid: string, scheme: WeakScheme = defaultWeakScheme): string {
  return createHmac(scheme.algorithm, key).update(shipmentUid).digest(scheme.encoding)
}

/** Whether `given` is the weak signature of the shipment under one of the keys. */
export function weakSignatureHolds(
  keys: readonly string[],
  shipmentUid: string,
  given: string | undefined,
  scheme: WeakScheme = defaultWeakScheme,
): boolean {
  return given !== undefined && keys.some(key => equal(weakSignature(key, shipmentUid, scheme), given))
}

/** The value of `webhook-signature`: one `v1` signature for each key, the newest key first. */
export function webhookSignature(keys: readonly string[], id: string, timestamp: number, body: string): string {
  return keys.map(key => `v1,${webhookDigest(key, id, String(timestamp), body)}`).join(' ')
}

/**
 * What is wrong with the Standard Webhooks headers of a message; undefined when nothing is.
 * @param now seconds since 1970
 */
export function webhookFault(
  keys: readonly string[],
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  now: number,
): SignatureFault | undefined {
  const id = headers[webhookHeaders.id]
  const timestamp = headers[webhookHeaders.timestamp]
  const signatures = headers[webhookHeaders.signature]
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return 'missing header'
  if (!/^\d{1,15}$/.test(timestamp)) return 'malformed timestamp'
  if (Number(timestamp) < now - timestampTolerance) return 'timestamp too old'
  if (Number(timestamp) > now + timestampTolerance) return 'timestamp in the future'
  const given = signatures
    .split(' ')
    .filter(signature => signature.startsWith('v1,'))
    .map(signature => signature.slice('v1,'.length))
  const holds = keys.some(key => {
    const expected = webhookDigest(key, id, timestamp, body)
    return given.some(signature => equal(expected, signature))
  })
  return holds ? undefined : 'signature does not match'
}

/** The secret that a Standard Webhooks library is given for one of our keys. */
export function webhookSecret(key: string): string {
  return `whsec_${Buffer.from(key, 'utf8').toString('base64')}`
}

function webhookDigest(key: string, id: string, timestamp: string, body: string): string {
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
}

function equal(expected: string, given: string): boolean {
  const one = Buffer.from(expected)
  const other = Buffer.from(given)
  return one.length === other.length && timingSafeEqual(one, other)
}
