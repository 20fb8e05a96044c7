import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { objectDetails } from './shipmentObject.ts'

export const AddShipmentObject = operation({
  name: 'AddShipmentObject',
  path: '/v1/Logistics/AddShipmentObject',
  summary: 'Attaches an item to an active shipment. GetShipmentAccessCode returns renewed codes.',
  effect: 'create',
  request: z.object({
    shipmentUid: uid,
    details: objectDetails,
    /** True renews the pick up code. */
    changePickUpAccess: z.boolean().nullish(),
    /** True renews the delivery code. */
    changeDropOffAccess: z.boolean().nullish(),
  }),
  response: z.object({ shipmentUid: uid, shipmentObjectUid: uid }),
  errors: ['InvalidShipment', 'InvalidShipmentState', 'TooManyObjects'],
})
