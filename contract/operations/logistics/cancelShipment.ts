import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'

export const CancelShipment = operation({
  name: 'CancelShipment',
  path: '/v1/Logistics/CancelShipment',
  summary: 'Cancels a shipment and releases its locker.',
  effect: 'change',
  request: z.object({ shipmentUid: uid }),
  response: z.object({}),
  errors: ['InvalidShipment', 'InvalidShipmentState'],
})
