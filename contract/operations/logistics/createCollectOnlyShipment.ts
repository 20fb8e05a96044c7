import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { bookedOne, bookingErrors, collecting } from './booking.ts'

export const CreateCollectOnlyShipment = operation({
  name: 'CreateCollectOnlyShipment',
  path: '/v1/Logistics/CreateCollectOnlyShipment',
  summary: 'Books a locker for a collection only, by a user or by the dispatcher.',
  section: 'CreateCollectOnlyShipment',
  effect: 'create',
  request: z.object({
    ...collecting,
    /** Left out: the dispatcher collects. */
    ToUserUid: uid.nullish(),
  }),
  response: bookedOne,
  errors: [...bookingErrors, 'InvalidUserUid'],
})
