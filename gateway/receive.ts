import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { webhookHeaders } from '#contract'
import { type SpanOptions, type Tracing, tracing } from '#platform/telemetry'
import type { ReadBody } from './body.ts'
import type { LimitedSignal } from './limitedSignals.ts'
import { findMessageType, findShipmentUid, normalizeMessage, readMessage } from './message.ts'
import { type Outcome, type RejectedCallback, retryAfter, sha256 } from './outcomes.ts'
import { beginSignatureCheck, type Headers, type Verification } from './verify.ts'

/** The outcome of a callback, without personal data and secrets. */
export interface Received {
  readonly outcome: Outcome
  readonly reason?: string
  readonly caseNo?: string
  readonly shipmentUid?: string
  /** Seconds of the response's `Retry-After`. */
  readonly retryAfter?: number
  /** Set for a callback that was signed. */
  readonly rejected?: RejectedCallback
  /** The ids of the callback's trace, for the log. */
  readonly trace?: ReturnType<Tracing['logFields']>
}

export interface ReceiveParts {
  readonly verification: Verification
  readonly readBody: ReadBody
  readonly signal: LimitedSignal
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/**
 * Verifies a callback and signals its flow. A request that proves nothing costs as little as possible: the headers are
 * checked before the body is read, and its bytes before they are parsed.
 * @throws Error when the sender breaks off
 */
export async function receive(parts: ReceiveParts, headers: Headers, stream: Readable): Promise<Received> {
  const now = parts.clock()
  const check = beginSignatureCheck(parts.verification, headers, Math.floor(now / 1_000))
  if (typeof check === 'string') return { outcome: 'invalidSignature', reason: check }
  const { bytes, content } = await parts.readBody(stream, check.update)
  const bodyFault = check.bodyFault()
  if (bodyFault !== undefined) return { outcome: 'invalidSignature', reason: bodyFault }

  const webhookId = shorten(headers[webhookHeaders.id])
  const reject = (reason: string, details: Partial<RejectedCallback> = {}) => {
    const rejected = { at: new Date(now).toISOString(), reason, bytes, webhookId, ...details }
    return { outcome: 'rejected', reason, rejected } as const
  }
  if (content === undefined) {
    // Not in the list: any sender could fill it.
    if (check.needsUid) return { outcome: 'rejected', reason: 'too long to verify its signature' }
    return reject('over 64 KiB')
  }
  // The decoder removes a byte order mark, which some services write.
  const message = normalizeMessage(new TextDecoder().decode(content))
  const shipmentUid = findShipmentUid(message)
  const uidFault = check.uidFault(shipmentUid)
  if (uidFault !== undefined) return { outcome: 'invalidSignature', reason: uidFault }

  const details = { sha256: sha256(content), messageType: findMessageType(message), shipmentUid: shorten(shipmentUid) }
  const read = readMessage(message)
  if (!read.ok) return reject(read.reason, details)

  const { caseNo, status } = read
  const names = { caseNo, shipmentUid: status.shipmentUid.slice(0, 100) }
  const identity = toIdentity(check.messageId, content)
  async function signal(): Promise<Received> {
    const signalled = await parts.signal(identity, caseNo, status)
    if (signalled.outcome === 'rejected') return { ...names, ...reject(signalled.reason, details) }
    if (signalled.outcome === 'unavailable') return { ...names, ...signalled, retryAfter }
    return { ...names, ...signalled }
  }
  return tracing === undefined ? signal() : trace(tracing, { startTime: now, parent: headers }, names, signal)
}

/** Continues the trace of a callback. Called for verified ones only, so that a forger records nothing. */
function trace(
  tracing: Tracing,
  options: Pick<SpanOptions, 'startTime' | 'parent'>,
  { caseNo, shipmentUid }: { readonly caseNo: string; readonly shipmentUid: string },
  signal: () => Promise<Received>,
): Promise<Received> {
  const attributes = { 'lockerflow.case_no': caseNo, 'lockerflow.shipment_uid': shipmentUid }
  return tracing.inSpan({ name: 'receive callback', kind: 'consumer', attributes, ...options }, async span => {
    const received = await signal()
    span.setAttributes({ 'lockerflow.outcome': received.outcome })
    if (received.outcome !== 'signalled') span.fail(received.outcome)
    return { ...received, trace: tracing.logFields() }
  })
}

/** The body belongs to the identity, because a service that gives all messages one id would lose all but the first. */
function toIdentity(messageId: string, content: Uint8Array): string {
  return createHash('sha256').update(`${messageId}.`).update(content).digest('base64')
}

function shorten(text: string | string[] | undefined): string | undefined {
  return typeof text === 'string' ? text.slice(0, 100) : undefined
}
