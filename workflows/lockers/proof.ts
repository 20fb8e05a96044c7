import { isFinalState, readStateCode } from '#contract/terms'
import { toExistingShipmentUid } from '#flows'
import { type PlannedFlow, toKnownUids } from '../context.ts'
import { toRequest } from './bookings.ts'
import type { BookIn } from './roles.ts'

/**
 * True if a callback proves that the create took effect: one about the shipment that the step issues, or about an active one.
 * Callbacks of other shipments of the case can be late: the last one of each, and all of those that an earlier step has booked.
 */
export function isBooked(flow: PlannedFlow, step: BookIn): boolean {
  const existing = toExistingShipmentUid({ request: toRequest(flow.progress, step) })
  const known = toKnownUids(flow)
  return flow.bufferedCallbacks.some(status => {
    const { shipmentUid, stateCode } = status ?? {}
    if (typeof shipmentUid === 'string' && known.has(shipmentUid)) return false
    return shipmentUid === existing || (typeof stateCode === 'string' && isActive(stateCode))
  })
}

function isActive(stateCode: string): boolean {
  return readStateCode(stateCode) !== undefined && !isFinalState(stateCode)
}
