import { z } from 'zod'
import { stateCodes } from '#contract/terms'
import { page, pageCount, reference, uid, zonelessTime } from '../../fields.ts'
import { shipmentObject } from './shipmentObject.ts'

const shipment = z.object({
  shipmentUid: uid,
  shipmentType: z.string(),
  stateCode: z.string(),
  stateStart: zonelessTime,
  created: zonelessTime,
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
  objects: z.array(shipmentObject),
})

export type ShipmentItem = z.infer<typeof shipment>

export const shipmentOrders = ['CreatedAsc', 'CreatedDesc', 'ActivityAsc', 'ActivityDesc'] as const

/** What every operation that lists shipments is asked and answers; an empty or null filter is no filter. */
export const shipmentListing = {
  request: z.object({
    ...page,
    /** True: only shipments that have not ended. */
    activeShipments: z.boolean().nullish(),
    /** In any casing; the service says which there are. */
    shipmentState: z.array(z.string().meta({ enum: stateCodes })).nullish(),
    userUid: uid.or(z.literal('')).nullish(),
    bookedPupUid: uid.or(z.literal('')).nullish(),
    shipmentUid: uid.or(z.literal('')).nullish(),
    /** Only shipments that changed at this moment or later, in UTC. */
    updatedSince: z.iso.datetime({ local: true, offset: true }).or(z.literal('')).nullish(),
    sortBy: z.enum(shipmentOrders).default('CreatedAsc'),
    referenceCaseNo: reference,
  }),
  response: z.object({ items: z.array(shipment), ...pageCount }),
}
