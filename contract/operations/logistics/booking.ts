import { z } from 'zod'
import { details, dimension, uid } from '../../fields.ts'

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

/** What a flow-specific operation answers: the shipments in the order of the specification's "Creates" column. */
export const booked = z.object({ shipmentUids: z.array(uid) })
