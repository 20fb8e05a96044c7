import { createHash, timingSafeEqual } from 'node:crypto'
import { apiKeyHeader, type WeakScheme, weakSignatureHolds, webhookFault } from '#contract'

export type Headers = Readonly<Record<string, string | string[] | undefined>>

export interface Verification {
  readonly keys: readonly string[]
  readonly weakScheme: WeakScheme
  /** Whether the service signs with Standard Webhooks; then that signature is demanded. */
  readonly standardWebhooks: boolean
}

/**
 * What is wrong with the signatures of a callback; undefined when nothing is (docs/decisions.md, Callback: HMAC).
 * @param shipmentUid what the weak signature hashes; undefined when the body names no shipment
 * @param now seconds since 1970
 */
export function signatureFault(
  { keys, weakScheme, standardWebhooks }: Verification,
  headers: Headers,
  text: string,
  shipmentUid: string | undefined,
  now: number,
): string | undefined {
  const weak = headers[weakScheme.header.toLowerCase()]
  if (!standardWebhooks) return weakFault(keys, weakScheme, weak, headers[apiKeyHeader], shipmentUid)
  const fault = webhookFault(keys, headers, text, now)
  if (fault !== undefined) return fault
  // The strong signature covers everything already; a weak one that contradicts it is a sign of tampering.
  if (weak === undefined || shipmentUid === undefined) return undefined
  return weakFault(keys, weakScheme, weak, undefined, shipmentUid)
}

function weakFault(
  keys: readonly string[],
  scheme: WeakScheme,
  weak: string | string[] | undefined,
  apiKey: string | string[] | undefined,
  shipmentUid: string | undefined,
): string | undefined {
  if (typeof weak === 'string') {
    if (shipmentUid === undefined) return 'no shipment to check the weak signature of'
    return weakSignatureHolds(keys, shipmentUid, weak, scheme) ? undefined : 'weak signature does not match'
  }
  if (typeof apiKey === 'string') return keys.some(key => equal(key, apiKey)) ? undefined : 'wrong API key'
  return 'missing header'
}

/** Hashed first, so that neither the time nor the length tells anything of the key. */
function equal(key: string, given: string): boolean {
  const [one, other] = [key, given].map(text => createHash('sha256').update(text).digest()) as [Buffer, Buffer]
  return timingSafeEqual(one, other)
}
