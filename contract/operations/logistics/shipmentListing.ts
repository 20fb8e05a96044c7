import { z } from 'zod'
import { readStateCode, stateCodes } from '#contract/terms'
import { optional, outOfService, pageInfo, pageRequest, reference, uid, utcTime } from '../../fields.ts'
import { shipmentObject } from './shipmentObject.ts'

const shipment = z
  .object({
    shipmentUid: uid,
    shipmentType: z.string(),
    stateCode: z.string(),
    stateStart: utcTime,
    created: utcTime,
    referenceNo: z.string().nullable(),
    referenceCaseNo: z.string().nullable(),
    description: z.string().nullable(),
    fromUserUid: z.string().nullable(),
    toUserUid: z.string().nullable(),
    pupUid: z.string(),
    lockerUid: z.string().nullable(),
    lockerName: z.string().nullable(),
    pickUpCode: z.string().nullable(),
    deliveryCode: z.string().nullable(),
    swapsShipmentUid: z.string().nullable(),
    priorShipmentUid: z.string().nullable(),
    circularPriorShipmentUid: z.string().nullable(),
    keepBookedAfterPickUp: z.boolean(),
    /** The state of its locker or pick up point; null for a shipment that has ended. */
    outOfService,
    objects: z.array(shipmentObject),
  })
  .meta({ id: 'ShipmentItem' })

export type ShipmentItem = z.infer<typeof shipment>

const shipmentOrders = ['CreatedAsc', 'CreatedDesc', 'ActivityAsc', 'ActivityDesc'] as const

/** Request and response of the operations that list shipments. Empty and null filters are ignored. */
export const shipmentListing = {
  request: z.object({
    ...pageRequest,
    /** True excludes ended shipments. */
    activeShipments: z.boolean().nullish(),
    /** In any casing, which no enumeration of zod accepts. */
    shipmentState: z
      .array(
        z
          .string()
          .max(64, { abort: true })
          .refine(text => readStateCode(text) !== undefined, `must be one of ${stateCodes.join(', ')}`)
          .meta({ enum: stateCodes }),
      )
      .max(stateCodes.length, `must have at most ${stateCodes.length} members`)
      .nullish(),
    userUid: optional(uid),
    bookedPupUid: optional(uid),
    shipmentUid: optional(uid),
    /** Shipments that changed at or after this time; UTC by default. */
    updatedSince: optional(z.iso.datetime({ local: true, offset: true })).meta({
      description:
        'Shipments that changed at or after this time. A change is visible a little later than its time: begin each poll a minute before the last one.',
    }),
    sortBy: optional(z.enum(shipmentOrders)).meta({ default: 'CreatedAsc' }),
    referenceCaseNo: reference,
    /** True: active shipments whose locker or pick up point is out of service. */
    outOfService: z.boolean().nullish(),
  }),
  response: z.object({ items: z.array(shipment), ...pageInfo }),
}
