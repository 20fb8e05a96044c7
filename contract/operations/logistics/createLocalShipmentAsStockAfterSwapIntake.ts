import { z } from 'zod'
import { details, dimension, uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { bookedResponse } from './booking.ts'

export const CreateLocalShipmentAsStockAfterSwapIntake = operation({
  name: 'CreateLocalShipmentAsStockAfterSwapIntake',
  path: '/v1/Logistics/CreateLocalShipmentAsStockAfterSwapIntake',
  summary: 'Puts an item into stock when the returned item is taken out, in one door opening.',
  effect: 'create',
  request: z.object({
    /** Uid of the return shipment. */
    PriorShipmentUid: uid,
    Dimension: dimension,
    Details: details.nullish(),
  }),
  response: bookedResponse,
  errors: ['InvalidShipment', 'InvalidShipmentState', 'ChainTooLong', 'LockerOutOfService', 'InvalidDimension'],
})
