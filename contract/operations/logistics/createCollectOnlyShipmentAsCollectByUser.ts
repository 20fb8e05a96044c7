import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { bookedResponse, bookingErrors, collectOnlyRequest } from './booking.ts'

export const CreateCollectOnlyShipmentAsCollectByUser = operation({
  name: 'CreateCollectOnlyShipmentAsCollectByUser',
  path: '/v1/Logistics/CreateCollectOnlyShipmentAsCollectByUser',
  summary: 'Books a locker for a pick up only, by a user.',
  effect: 'create',
  request: z.object({ ...collectOnlyRequest, ToUserUid: uid }),
  response: bookedResponse,
  errors: [...bookingErrors, 'InvalidUserUid'],
})
