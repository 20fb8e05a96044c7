import type { CleanedShipment } from '#activities/interface'
import { type LeftOver, toFailedReason } from '#flows'
import { toErrorCode } from '../failures.ts'

/** The shipments of a book step that an activity could not cancel. */
export function toLeftOvers(step: string, cleaned: readonly CleanedShipment[]): LeftOver[] {
  return cleaned.flatMap(({ shipmentUid, left }) => (left === null ? [] : [{ step, shipmentUid, reason: left }]))
}

/** Leaves all shipments of a book step over after an activity failed. */
export function leaveAll(
  step: string,
  shipments: readonly { readonly shipmentUid: string }[],
  error: unknown,
): LeftOver[] {
  return shipments.map(({ shipmentUid }) => ({ step, shipmentUid, reason: toFailedReason(toErrorCode(error)) }))
}
