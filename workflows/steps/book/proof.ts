import { isFinalState, readStateCode } from '#contract/terms'
import { type PlannedBook, toExistingShipmentUid } from '#flows'
import type { PlannedFlow } from '../../context.ts'
import { toRequest } from './input.ts'

/**
 * True if a callback proves that the create took effect: one about the shipment that the step issues, or about an active one.
 * The last callback of an earlier shipment of the case can be late.
 */
export function isBooked({ bufferedCallbacks, progress }: PlannedFlow, step: PlannedBook): boolean {
  const existing = toExistingShipmentUid({ request: toRequest(progress, step) })
  return bufferedCallbacks.some(status => {
    const { shipmentUid, stateCode } = status ?? {}
    return shipmentUid === existing || (typeof stateCode === 'string' && isActive(stateCode))
  })
}

function isActive(stateCode: string): boolean {
  return readStateCode(stateCode) !== undefined && !isFinalState(stateCode)
}
