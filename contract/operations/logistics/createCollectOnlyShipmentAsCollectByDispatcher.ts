import { z } from 'zod'
import { operation } from '../../operation.ts'
import { booked, bookingErrors, collecting } from './booking.ts'

export const CreateCollectOnlyShipmentAsCollectByDispatcher = operation({
  name: 'CreateCollectOnlyShipmentAsCollectByDispatcher',
  path: '/v1/Logistics/CreateCollectOnlyShipmentAsCollectByDispatcher',
  summary: 'Books a locker for a collection only, by the dispatcher.',
  section: 'CreateCollectOnlyShipmentAsCollectByDispatcher',
  effect: 'create',
  request: z.object(collecting),
  response: booked,
  errors: bookingErrors,
})
