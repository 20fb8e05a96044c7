import { z } from 'zod'
import { description, dimension, reference, uid } from '../../fields.ts'

/** Grams. */
const maxWeight = 10_000_000
const maxCount = 1_000_000
/** Centimetres. */
const side = dimension.shape.width.max(10_000)

/** Objects of one shipment, and of all shipments of a page: a response with 20,000 of them had 134 MB. */
export const objectLimits = { shipment: 100, page: 1_000 } as const

/** An item in requests (specification, Resources: Shipment object). */
export const objectDetails = z
  .object({
    referenceNo: reference,
    description,
    /** Grams. */
    weight: z.number().min(0).max(maxWeight).nullish(),
    /** Number of parts. */
    count: z.int().min(1).max(maxCount).nullish(),
    /** Centimetres. */
    dimension: z.object({ width: side, height: side, length: side }).meta({ id: 'ObjectDimension' }).nullish(),
  })
  .meta({ id: 'ShipmentObjectDetails' })

/** An item in responses. */
export const shipmentObject = z
  .object({
    shipmentObjectUid: uid,
    referenceNo: z.string().nullable(),
    description: z.string().nullable(),
    weight: z.number().nullable(),
    count: z.number().nullable(),
    // Responses allow no further fields, so this schema differs from that of requests.
    dimension: z.object(dimension.shape).meta({ id: 'ShipmentObjectDimension' }).nullable(),
  })
  .meta({ id: 'ShipmentObject' })
