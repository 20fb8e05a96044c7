import { z } from 'zod'
import { dimension, page, pageCount, reference, uid, zonelessTime } from '../../fields.ts'
import { operation } from '../../operation.ts'

const shipmentObject = z.object({
  shipmentObjectUid: uid,
  referenceNo: z.string().nullable(),
  description: z.string().nullable(),
  weight: z.number().nullable(),
  count: z.number().nullable(),
  dimension: dimension.nullable(),
})

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

export const GetShipments = operation({
  name: 'GetShipments',
  path: '/v1/Logistics/GetShipments',
  summary: 'Lists the shipments that the caller made, by state, user, pick up point, case or time.',
  section: 'Decisions: GetShipments',
  effect: 'read',
  request: z.object({
    ...page,
    /** True: only shipments that have not ended. */
    activeShipments: z.boolean().nullish(),
    shipmentState: z.array(z.string()).nullish(),
    userUid: uid.or(z.literal('')).nullish(),
    bookedPupUid: uid.or(z.literal('')).nullish(),
    shipmentUid: uid.or(z.literal('')).nullish(),
    /** Only shipments that changed at this moment or later, in UTC. */
    updatedSince: z.iso.datetime({ local: true, offset: true }).or(z.literal('')).nullish(),
    sortBy: z.enum(shipmentOrders).default('CreatedAsc'),
    referenceCaseNo: reference,
  }),
  response: z.object({ items: z.array(shipment), ...pageCount }),
  errors: [],
})
