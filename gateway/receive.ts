import { webhookHeaders } from '#contract'
import { type Aside, sha256 } from './aside.ts'
import { longestMessage, type RawBody } from './body.ts'
import type { Flows, Signalled } from './flows.ts'
import { foldMessage, messageTypeOf, readMessage, shipmentUidOf } from './message.ts'
import type { Outcome } from './outcomes.ts'
import { type Headers, signatureFault, type Verification } from './verify.ts'

/** What became of a callback; nothing in it is personal or secret. */
export interface Received {
  readonly outcome: Outcome
  readonly why?: string
  readonly caseNo?: string
  readonly shipmentUid?: string
  readonly aside?: Aside
}

/** Checks a callback and signals its flow. Never throws. */
export async function receive(
  verification: Verification,
  flows: Pick<Flows, 'signal'>,
  headers: Headers,
  { bytes, text }: RawBody,
): Promise<Received> {
  const now = Date.now()
  const webhookId = short(headers[webhookHeaders.id])
  const setAside = (why: string, more: Partial<Aside> = {}) => {
    const aside = { at: new Date(now).toISOString(), why, bytes, webhookId, ...more }
    return { outcome: 'aside', why, aside } as const
  }
  if (text === undefined) return setAside('too long for its signature to be checked')

  const folded = foldMessage(text)
  const shipmentUid = shipmentUidOf(folded)
  const fault = signatureFault(verification, headers, text, shipmentUid, Math.floor(now / 1_000))
  if (fault !== undefined) return { outcome: 'forged', why: fault }

  const facts = { sha256: sha256(text), messageType: messageTypeOf(folded), shipmentUid: short(shipmentUid) }
  if (bytes > longestMessage) return setAside('over 64 KiB', facts)
  const message = readMessage(folded)
  if (!message.ok) return setAside(message.why, facts)

  const { caseNo, status } = message
  const signalled: Signalled = await flows.signal(caseNo, status)
  const named = { caseNo, shipmentUid: status.shipmentUid.slice(0, 100) }
  if (signalled.outcome === 'aside') return { ...named, ...setAside(signalled.why, facts) }
  return { ...named, ...signalled }
}

function short(text: string | string[] | undefined): string | undefined {
  return typeof text === 'string' ? text.slice(0, 100) : undefined
}
