import { z } from 'zod'
import { details, dimension, optional, reference, uid } from '../../fields.ts'

/** Fields of the operations that book a locker by size (specification, Shipment creation: general rules). */
export const lockerRequest = {
  PupUid: uid,
  AllowLargerLockers: z.boolean(),
  AllowOverflowLockers: z.boolean(),
  Dimension: dimension,
  LockerUid: optional(uid),
}

/** Fields of most operations that book a locker by size: those of `lockerRequest` and `Details`. */
export const bookingRequest = { ...lockerRequest, Details: details.nullish() }

/** Fields of the operations that create a collect-only shipment. */
export const collectOnlyRequest = {
  ...bookingRequest,
  /** True keeps the shipment booked after a pick up, for any number of pick ups. */
  KeepBookedAfterPickUp: z.boolean(),
}

/** Refusals of the operations that book a locker. */
export const bookingErrors = [
  'InvalidPupUid',
  'InvalidLocker',
  'LockerOutOfService',
  'InvalidDimension',
  'NoLockerAvailable',
] as const

/** Fields of the operations that issue from stock. */
export const issueRequest = {
  PriorShipmentUid: uid,
  ToUserUid: uid,
  Issue: z.object({ ReferenceCaseNo: reference }).nullish(),
}

/** Refusals of the operations that issue from stock. */
export const issueErrors = ['InvalidShipment', 'InvalidUserUid', 'InvalidShipmentState', 'LockerOutOfService'] as const

/** Refusals of the operations that also create shipments which follow the issued one. */
export const issueAndReturnErrors = [...issueErrors, 'ChainTooLong'] as const

/** References and description of the return shipment. */
export const returnRequest = { Return: details.nullish() }

/** Response of the flow-specific operations: shipments in the order of the specification's "Creates" column. */
export const bookedResponse = z.object({ shipmentUids: z.array(uid) })

/** Response of the main operations: one shipment and its locker. */
export const bookedOneResponse = z.object({ shipmentUid: uid, pupUid: uid, lockerName: z.string() })
