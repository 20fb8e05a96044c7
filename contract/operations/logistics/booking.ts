import { z } from 'zod'
import { details, dimension, reference, uid } from '../../fields.ts'

/** What every operation that books a locker by size is asked (specification, Shipment creation: general rules). */
export const lockerBooking = {
  PupUid: uid,
  AllowLargerLockers: z.boolean(),
  AllowOverflowLockers: z.boolean(),
  Dimension: dimension,
  LockerUid: uid.nullish(),
}

/** The same with the references and the text of the shipment in an object of their own, as most of them have it. */
export const booking = { ...lockerBooking, Details: details.nullish() }

/** What every operation that books for a collection only is asked. */
export const collecting = {
  ...booking,
  /** True: the shipment stays booked, and can be collected again and again. */
  KeepBookedAfterPickUp: z.boolean(),
}

/** Refusals of every such operation. */
export const bookingErrors = ['InvalidPupUid', 'InvalidLocker', 'InvalidDimension', 'NoLockerAvailable'] as const

/** What every operation that issues a shipment from stock is asked. */
export const issuing = {
  PriorShipmentUid: uid,
  ToUserUid: uid,
  Issue: z.object({ ReferenceCaseNo: reference }).nullish(),
}

/** Refusals of every such operation. */
export const issuingErrors = ['InvalidShipment', 'InvalidUserUid', 'InvalidShipmentState'] as const

/** References and text of the shipment that brings the item back. */
export const returning = { Return: details.nullish() }

/** What a flow-specific operation answers: the shipments in the order of the specification's "Creates" column. */
export const booked = z.object({ shipmentUids: z.array(uid) })

/** What a main operation answers: the one shipment and where its locker is. */
export const bookedOne = z.object({ shipmentUid: uid, pupUid: uid, lockerName: z.string() })
