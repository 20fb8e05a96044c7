import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { objectDetails } from './shipmentObject.ts'

export const AddShipmentObject = operation({
  name: 'AddShipmentObject',
  path: '/v1/Logistics/AddShipmentObject',
  summary: 'Attaches an item to a shipment that has not ended; GetShipmentAccessCode tells new codes.',
  section: 'Shipment management',
  effect: 'create',
  request: z.object({
    shipmentUid: uid,
    details: objectDetails,
    /** True: the shipment gets a new pick up code. */
    changePickUpAccess: z.boolean().nullish(),
    /** True: the shipment gets a new delivery code. */
    changeDropOffAccess: z.boolean().nullish(),
  }),
  response: z.object({ shipmentUid: uid, shipmentObjectUid: uid }),
  errors: ['InvalidShipment', 'InvalidShipmentState'],
})
