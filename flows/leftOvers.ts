/**
 * Work for a person: a shipment that the flow did not end, since software never frees a locker that is not empty, or the
 * effect of another step that the flow could not undo.
 */
export interface LeftOver {
  /** The name of the step that booked the shipment, or had the effect. */
  step: string
  /** Null for effects without a shipment. */
  shipmentUid: string | null
  reason: string
  /** The pick up point and the locker of the shipment. Absent if the flow does not know them. */
  pupUid?: string
  lockerName?: string
}

/** The reasons of left-overs, in results, current details and the reports of sweeps. They contain no personal data. */
export const leftOverReasons = {
  itemInside: 'there is an item in the locker',
  existedBefore: 'it was in stock before the flow',
  forPerson: 'it is for a person to decide',
  unknownShipment: 'the service does not know it',
  unknownState: 'its state is unknown',
  /** A stock shipment at a service that cannot be read. */
  unknownBooking: 'the response to its booking was lost',
  /** A booking without a uid. */
  mayBeBooked: 'the service may have booked a shipment with this case number, and the response was lost',
  flowRuns: 'its flow runs again',
  endedByItself: 'its flow ended by itself, and left this to a person',
} as const

/** The reason for a shipment that the service refused to cancel, with the code of the refusal. */
export function toRefusedReason(code: string): string {
  return `the service refused: ${code}`
}

/** The reason for a shipment whose cancellation failed, with the code of the fault. */
export function toFailedReason(code: string): string {
  return `it could not be cancelled: ${code}`
}

/** The reason for a step whose undo failed, with the code of the fault. */
export function toUndoFailedReason(code: string): string {
  return `it could not be undone: ${code}`
}

/** The reason for a duplicate booking that could not be cancelled. */
export function toDuplicateReason(reason: string): string {
  return `it was booked twice; ${reason}`
}
