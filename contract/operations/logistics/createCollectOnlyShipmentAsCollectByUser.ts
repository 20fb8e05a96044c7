import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { booked, bookingErrors, collecting } from './booking.ts'

export const CreateCollectOnlyShipmentAsCollectByUser = operation({
  name: 'CreateCollectOnlyShipmentAsCollectByUser',
  path: '/v1/Logistics/CreateCollectOnlyShipmentAsCollectByUser',
  summary: 'Books a locker for a collection only, by a user.',
  section: 'CreateCollectOnlyShipmentAsCollectByUser',
  effect: 'create',
  request: z.object({ ...collecting, ToUserUid: uid }),
  response: booked,
  errors: [...bookingErrors, 'InvalidUserUid'],
})
