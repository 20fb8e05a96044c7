import { z } from 'zod'
import { details, dimension, uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { booked } from './booking.ts'

export const CreateLocalShipmentAsStockAfterSwapIntake = operation({
  name: 'CreateLocalShipmentAsStockAfterSwapIntake',
  path: '/v1/Logistics/CreateLocalShipmentAsStockAfterSwapIntake',
  summary: 'Puts an item into stock in the opening in which a returned one is taken out.',
  section: 'Flow-specific local operations',
  effect: 'create',
  request: z.object({
    /** The return shipment. */
    PriorShipmentUid: uid,
    Dimension: dimension,
    Details: details.nullish(),
  }),
  response: booked,
  errors: ['InvalidShipment', 'InvalidShipmentState', 'InvalidDimension'],
})
