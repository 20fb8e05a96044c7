import { webhookHeaders } from '#contract'
import { maxMessageBytes, type RawBody } from './body.ts'
import { findMessageType, findShipmentUid, normalizeMessage, readMessage } from './message.ts'
import { type Outcome, type RejectedCallback, sha256 } from './outcomes.ts'
import type { Signaller } from './signaller.ts'
import { type Headers, signatureFault, type Verification } from './verify.ts'

/** The outcome of a callback, without personal data and secrets. */
export interface Received {
  readonly outcome: Outcome
  readonly reason?: string
  readonly caseNo?: string
  readonly shipmentUid?: string
  readonly rejected?: RejectedCallback
}

/** Verifies a callback and signals its flow. Never throws. */
export async function receive(
  verification: Verification,
  signaller: Pick<Signaller, 'signal'>,
  headers: Headers,
  { bytes, text }: RawBody,
): Promise<Received> {
  const now = Date.now()
  const webhookId = shorten(headers[webhookHeaders.id])
  const reject = (reason: string, details: Partial<RejectedCallback> = {}) => {
    const rejected = { at: new Date(now).toISOString(), reason, bytes, webhookId, ...details }
    return { outcome: 'rejected', reason, rejected } as const
  }
  if (text === undefined) return reject('too long to verify its signature')

  const message = normalizeMessage(text)
  const shipmentUid = findShipmentUid(message)
  const fault = signatureFault(verification, headers, text, shipmentUid, Math.floor(now / 1_000))
  if (fault !== undefined) return { outcome: 'invalidSignature', reason: fault }

  const details = { sha256: sha256(text), messageType: findMessageType(message), shipmentUid: shorten(shipmentUid) }
  if (bytes > maxMessageBytes) return reject('over 64 KiB', details)
  const read = readMessage(message)
  if (!read.ok) return reject(read.reason, details)

  const { caseNo, status } = read
  const signalled = await signaller.signal(caseNo, status)
  const names = { caseNo, shipmentUid: status.shipmentUid.slice(0, 100) }
  if (signalled.outcome === 'rejected') return { ...names, ...reject(signalled.reason, details) }
  return { ...names, ...signalled }
}

function shorten(text: string | string[] | undefined): string | undefined {
  return typeof text === 'string' ? text.slice(0, 100) : undefined
}
