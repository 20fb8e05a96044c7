import { isFinalState, readStateCode } from '#contract/terms'
import { toExistingShipmentUid } from '#flows'
import { type PlannedFlow, toKnownUids } from '../context.ts'
import { toRequest } from './bookings.ts'
import { type BookIn, bookIn } from './roles.ts'

/**
 * True if a callback proves that the create took effect: one about the shipment that the step issues, or about an active one.
 * Callbacks of other shipments of the case can be late: the last one of each, and all of those that an earlier step has booked.
 * Beside other bookings, only those of the shipment that it issues are its own for certain.
 */
export function isBooked(flow: PlannedFlow, step: BookIn): boolean {
  const existing = toExistingShipmentUid({ request: toRequest(flow.progress, step) })
  const known = toKnownUids(flow)
  return flow.bufferedCallbacks.some(status => {
    const { shipmentUid, stateCode } = status ?? {}
    if (typeof shipmentUid === 'string' && known.has(shipmentUid)) return false
    if (shipmentUid === existing) return true
    return typeof stateCode === 'string' && isActive(stateCode) && !booksBeside(flow, step)
  })
}

/**
 * True while another booking of the flow is under way, or its outcome is unknown: a shipment that a read or a callback shows can
 * be its own.
 */
export function booksBeside({ progress: { plan, undo, lockers } }: PlannedFlow, step: BookIn): boolean {
  return undo.some(({ step: index, state, token = '' }) => {
    const other = plan.steps[index]
    if (state !== 'started' || other?.kind !== 'book') return false
    const { name } = bookIn(other, token)
    return name !== step.name && !lockers.bookings[name]?.booked
  })
}

function isActive(stateCode: string): boolean {
  return readStateCode(stateCode) !== undefined && !isFinalState(stateCode)
}
