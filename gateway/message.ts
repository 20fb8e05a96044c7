import { type Callback, callback, callbackMessageType, foldKeys } from '#contract'
import { isCaseNo, type ShipmentStatus } from '#contract/terms'

/** A callback's body, folded to the contract's casing; undefined when it is no JSON. */
export function foldMessage(text: string): unknown {
  try {
    return foldKeys(callback, JSON.parse(text), () => {})
  } catch {
    // Not JSON, or brackets nested so deeply that the stack runs out.
    return undefined
  }
}

/** The shipment that a body of any kind speaks of. */
export function shipmentUidOf(folded: unknown): string | undefined {
  const uid = field(field(folded, 'message'), 'shipmentUid')
  return typeof uid === 'string' ? uid : undefined
}

/** The kind of message, at most 60 characters of it. */
export function messageTypeOf(folded: unknown): string | undefined {
  const type = field(folded, 'messageType')
  return typeof type === 'string' ? type.slice(0, 60) : undefined
}

export type ReadMessage =
  | { readonly ok: true; readonly caseNo: string; readonly status: ShipmentStatus }
  | { readonly ok: false; readonly why: string }

/** What a flow is told: four fields, none of them personal. Or why the message can never be accepted. */
export function readMessage(folded: unknown): ReadMessage {
  if (folded === undefined) return { ok: false, why: 'not JSON' }
  const type = messageTypeOf(folded)
  if (type !== undefined && type !== callbackMessageType) return { ok: false, why: 'unknown messageType' }
  const parsed = callback.safeParse(folded)
  if (!parsed.success) {
    return { ok: false, why: `invalid: ${parsed.error.issues.map(({ path }) => path.join('.') || 'body').join(', ')}` }
  }
  return accept(parsed.data)
}

function accept({ message }: Callback): ReadMessage {
  const { referenceCaseNo: caseNo, shipmentUid, stateCode, stateStart, pupUid } = message
  if (!caseNo) return { ok: false, why: 'no case number' }
  if (!isCaseNo(caseNo)) return { ok: false, why: 'not one of our case numbers' }
  return { ok: true, caseNo, status: { shipmentUid, stateCode, stateStart, pupUid: pupUid ?? null } }
}

function field(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined
}
