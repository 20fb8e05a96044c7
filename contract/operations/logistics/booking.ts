import { z } from 'zod'
import { details, dimension, reference, uid } from '../../fields.ts'

/** What every operation that books a locker by size is asked (specification, Shipment creation: general rules). */
export const booking = {
  PupUid: uid,
  AllowLargerLockers: z.boolean(),
  AllowOverflowLockers: z.boolean(),
  Dimension: dimension,
  Details: details.nullish(),
  LockerUid: uid.nullish(),
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
