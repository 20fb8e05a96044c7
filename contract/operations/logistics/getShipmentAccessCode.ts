import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'

export const GetShipmentAccessCode = operation({
  name: 'GetShipmentAccessCode',
  path: '/v1/Logistics/GetShipmentAccessCode',
  summary: 'Returns the access codes of a shipment. They are valid from its creation until it ends.',
  effect: 'read',
  request: z.object({ shipmentUid: uid }),
  response: z.object({ shipmentUid: uid, pickUpCode: z.string().nullable(), deliveryCode: z.string().nullable() }),
  errors: ['InvalidShipment'],
})
