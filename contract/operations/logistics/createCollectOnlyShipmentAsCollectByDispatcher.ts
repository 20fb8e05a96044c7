import { z } from 'zod'
import { operation } from '../../operation.ts'
import { bookedResponse, bookingErrors, collectOnlyRequest } from './booking.ts'

export const CreateCollectOnlyShipmentAsCollectByDispatcher = operation({
  name: 'CreateCollectOnlyShipmentAsCollectByDispatcher',
  path: '/v1/Logistics/CreateCollectOnlyShipmentAsCollectByDispatcher',
  summary: 'Books a locker for a pick up only, by the dispatcher.',
  effect: 'create',
  request: z.object(collectOnlyRequest),
  response: bookedResponse,
  errors: bookingErrors,
})
