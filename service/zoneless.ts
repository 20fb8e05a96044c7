import type { Millis } from './store/tables.ts'

/** A moment as it goes over the wire: ISO 8601 in UTC without the offset (specification, Shipment: stateStart). */
export function zoneless(moment: Millis): string {
  return new Date(moment).toISOString().slice(0, -1)
}
