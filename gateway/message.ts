import { type Callback, callback, callbackMessageType, normalizeKeys } from '#contract'
import { isCaseNo, type ShipmentStatus } from '#flows'

/** Parses a callback's body and normalizes its keys to the contract's casing; undefined when it is not JSON. */
export function normalizeMessage(text: string): unknown {
  try {
    return normalizeKeys(callback, JSON.parse(text), () => {})
  } catch {
    // Not JSON, or nested so deeply that the stack overflows.
    return undefined
  }
}

/** The shipment uid of a body of any shape. */
export function findShipmentUid(message: unknown): string | undefined {
  const uid = field(field(message, 'message'), 'shipmentUid')
  return typeof uid === 'string' ? uid : undefined
}

/** The message type, cut to 60 characters. */
export function findMessageType(message: unknown): string | undefined {
  const type = field(message, 'messageType')
  return typeof type === 'string' ? type.slice(0, 60) : undefined
}

export type ReadMessage =
  | { readonly ok: true; readonly caseNo: string; readonly status: ShipmentStatus }
  | { readonly ok: false; readonly reason: string }

/** The part of a callback that a flow gets: four fields, none of them personal. Or the reason why it is rejected. */
export function readMessage(message: unknown): ReadMessage {
  if (message === undefined) return { ok: false, reason: 'not JSON' }
  const type = findMessageType(message)
  if (type !== undefined && type !== callbackMessageType) return { ok: false, reason: 'unknown messageType' }
  const parsed = callback.safeParse(message)
  if (!parsed.success) {
    return {
      ok: false,
      reason: `invalid: ${parsed.error.issues.map(({ path }) => path.join('.') || 'body').join(', ')}`,
    }
  }
  return toSignal(parsed.data)
}

function toSignal({ message }: Callback): ReadMessage {
  const { referenceCaseNo: caseNo, shipmentUid, stateCode, stateStart, pupUid } = message
  if (!caseNo) return { ok: false, reason: 'no case number' }
  if (!isCaseNo(caseNo)) return { ok: false, reason: 'invalid case number' }
  return { ok: true, caseNo, status: { shipmentUid, stateCode, stateStart, pupUid: pupUid ?? null } }
}

function field(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined
}
