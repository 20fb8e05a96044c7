import { z } from 'zod'
import { description, dimension, reference, uid } from '../../fields.ts'

/** The heaviest item, in grams: ten tonnes. */
const heaviest = 10_000_000
const mostParts = 1_000_000

/** An item attached to a shipment, as a request tells it (specification, Resources: Shipment object). */
export const objectDetails = z.object({
  referenceNo: reference,
  description,
  /** Grams. */
  weight: z.number().min(0).max(heaviest).nullish(),
  /** Total object parts. */
  count: z.int().min(1).max(mostParts).nullish(),
  /** Centimetres. */
  dimension: dimension.nullish(),
})

/** The same as answers tell it. */
export const shipmentObject = z.object({
  shipmentObjectUid: uid,
  referenceNo: z.string().nullable(),
  description: z.string().nullable(),
  weight: z.number().nullable(),
  count: z.number().nullable(),
  dimension: dimension.nullable(),
})
