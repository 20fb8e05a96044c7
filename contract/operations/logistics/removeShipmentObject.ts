import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'

export const RemoveShipmentObject = operation({
  name: 'RemoveShipmentObject',
  path: '/v1/Logistics/RemoveShipmentObject',
  summary: 'Removes an item from an active shipment.',
  effect: 'change',
  request: z.object({ shipmentUid: uid, shipmentObjectUid: uid }),
  response: z.object({ shipmentUid: uid, shipmentObjectUid: uid }),
  errors: ['InvalidShipment', 'InvalidShipmentObject', 'InvalidShipmentState'],
})
