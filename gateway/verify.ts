import { createHash, timingSafeEqual } from 'node:crypto'
import {
  apiKeyHeader,
  beginWebhookCheck,
  isValidUidSignature,
  type UidSignatureScheme,
  webhookHeaders,
} from '#contract'

export type Headers = Readonly<Record<string, string | string[] | undefined>>

export interface Verification {
  readonly keys: readonly string[]
  readonly uidSignatureScheme: UidSignatureScheme
  /** The service signs with Standard Webhooks, so that signature is required. */
  readonly standardWebhooks: boolean
}

/** The signatures of one callback. Each step returns the fault, or undefined. The steps are in the order of their cost. */
export interface SignatureCheck {
  /** The id of the message, if a signature covers it; otherwise empty. */
  readonly messageId: string
  /** Only the shipment uid in the parsed body proves the callback. */
  readonly needsUid: boolean
  /** Adds the next bytes of the body. */
  update(bytes: Uint8Array): void
  /** Call it once, after the last bytes and before the body is parsed. */
  bodyFault(): string | undefined
  /** @param shipmentUid undefined when the body names no shipment */
  uidFault(shipmentUid: string | undefined): string | undefined
}

/**
 * Begins to verify the signatures of a callback with its headers, before its body is read.
 * @returns the fault of the headers, or the check of the body
 * @param now seconds since 1970
 */
export function beginSignatureCheck(
  { keys, uidSignatureScheme, standardWebhooks }: Verification,
  headers: Headers,
  now: number,
): string | SignatureCheck {
  const uidSignature = headers[uidSignatureScheme.header.toLowerCase()]
  const uidFault = (shipmentUid: string | undefined) => {
    if (shipmentUid === undefined) return 'no shipmentUid for the uid signature'
    const isValid = isValidUidSignature(keys, shipmentUid, String(uidSignature), uidSignatureScheme)
    return isValid ? undefined : 'uid signature does not match'
  }
  if (standardWebhooks) {
    const webhook = beginWebhookCheck(keys, headers, now)
    if (typeof webhook === 'string') return webhook
    return {
      messageId: String(headers[webhookHeaders.id]),
      needsUid: false,
      update: webhook.update,
      bodyFault: webhook.fault,
      // This signature covers the whole body. A uid signature that contradicts it indicates tampering.
      uidFault: uid => (uidSignature === undefined || uid === undefined ? undefined : uidFault(uid)),
    }
  }
  const check = { messageId: '', needsUid: false, update: () => {}, bodyFault: noFault, uidFault: noFault }
  if (uidSignature !== undefined) return { ...check, needsUid: true, uidFault }
  const apiKey = headers[apiKeyHeader]
  if (typeof apiKey !== 'string') return 'missing header'
  return keys.some(key => equalInConstantTime(key, apiKey)) ? check : 'wrong API key'
}

function noFault(): undefined {
  return undefined
}

/** Compares hashes, so that neither time nor length reveals anything about the key. */
function equalInConstantTime(key: string, apiKey: string): boolean {
  const [one, other] = [key, apiKey].map(text => createHash('sha256').update(text).digest()) as [Buffer, Buffer]
  return timingSafeEqual(one, other)
}
