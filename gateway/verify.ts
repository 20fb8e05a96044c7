import { createHash, timingSafeEqual } from 'node:crypto'
import { apiKeyHeader, checkWebhookSignature, isValidUidSignature, type UidSignatureScheme } from '#contract'

export type Headers = Readonly<Record<string, string | string[] | undefined>>

export interface Verification {
  readonly keys: readonly string[]
  readonly uidSignatureScheme: UidSignatureScheme
  /** The service signs with Standard Webhooks, so that signature is required. */
  readonly standardWebhooks: boolean
}

/**
 * Verifies the signatures of a callback (D-017, D-018).
 * @returns the fault; undefined when the signatures are valid
 * @param shipmentUid the text that the uid signature covers; undefined when the body names no shipment
 * @param now seconds since 1970
 */
export function signatureFault(
  { keys, uidSignatureScheme, standardWebhooks }: Verification,
  headers: Headers,
  text: string,
  shipmentUid: string | undefined,
  now: number,
): string | undefined {
  const uidSignature = headers[uidSignatureScheme.header.toLowerCase()]
  if (!standardWebhooks)
    return uidSignatureFault(keys, uidSignatureScheme, uidSignature, headers[apiKeyHeader], shipmentUid)
  const fault = checkWebhookSignature(keys, headers, text, now)
  if (fault !== undefined) return fault
  // The Standard Webhooks signature covers the whole body. A uid signature that contradicts it indicates tampering.
  if (uidSignature === undefined || shipmentUid === undefined) return undefined
  return uidSignatureFault(keys, uidSignatureScheme, uidSignature, undefined, shipmentUid)
}

function uidSignatureFault(
  keys: readonly string[],
  scheme: UidSignatureScheme,
  uidSignature: string | string[] | undefined,
  apiKey: string | string[] | undefined,
  shipmentUid: string | undefined,
): string | undefined {
  if (typeof uidSignature === 'string') {
    if (shipmentUid === undefined) return 'no shipmentUid for the uid signature'
    return isValidUidSignature(keys, shipmentUid, uidSignature, scheme) ? undefined : 'uid signature does not match'
  }
  if (typeof apiKey === 'string')
    return keys.some(key => equalInConstantTime(key, apiKey)) ? undefined : 'wrong API key'
  return 'missing header'
}

/** Compares hashes, so that neither time nor length reveals anything about the key. */
function equalInConstantTime(key: string, apiKey: string): boolean {
  const [one, other] = [key, apiKey].map(text => createHash('sha256').update(text).digest()) as [Buffer, Buffer]
  return timingSafeEqual(one, other)
}
