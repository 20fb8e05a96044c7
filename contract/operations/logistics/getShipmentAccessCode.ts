import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'

export const GetShipmentAccessCode = operation({
  name: 'GetShipmentAccessCode',
  path: '/v1/Logistics/GetShipmentAccessCode',
  summary: 'Tells the access codes of a shipment; they live from its creation until it ends.',
  section: 'Decisions: GetShipmentAccessCode',
  effect: 'read',
  request: z.object({ shipmentUid: uid }),
  response: z.object({ shipmentUid: uid, pickUpCode: z.string().nullable(), deliveryCode: z.string().nullable() }),
  errors: ['InvalidShipment'],
})
