import type { CleanedShipment } from '#activities/interface'
import { type LeftOver, toFailedReason } from '#flows'
import { toErrorCode } from './failures.ts'

/** The shipments that an activity could not cancel. */
export function toLeftOvers(cleaned: readonly CleanedShipment[]): LeftOver[] {
  return cleaned.flatMap(({ shipmentUid, left }) => (left === null ? [] : [{ shipmentUid, reason: left }]))
}

/** Leaves all shipments over after an activity failed. */
export function leaveAll(shipments: readonly { readonly shipmentUid: string }[], error: unknown): LeftOver[] {
  return shipments.map(({ shipmentUid }) => ({ shipmentUid, reason: toFailedReason(toErrorCode(error)) }))
}
