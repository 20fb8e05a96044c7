import { z } from 'zod'
import { optional, uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { bookedOneResponse, bookingErrors, collectOnlyRequest } from './booking.ts'

export const CreateCollectOnlyShipment = operation({
  name: 'CreateCollectOnlyShipment',
  path: '/v1/Logistics/CreateCollectOnlyShipment',
  summary: 'Books a locker for a pick up only, by a user or by the dispatcher.',
  effect: 'create',
  request: z.object({
    ...collectOnlyRequest,
    /** Absent: the dispatcher picks up. */
    ToUserUid: optional(uid),
  }),
  response: bookedOneResponse,
  errors: [...bookingErrors, 'InvalidUserUid'],
})
