import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'

export const SetAccountPickUpPoint = operation({
  name: 'SetAccountPickUpPoint',
  path: '/v1/Account/SetAccountPickUpPoint',
  summary: 'Sets the main pick up point of an account to one of yours.',
  effect: 'change',
  request: z.object({ userUid: uid, pickUpPointUid: uid }),
  response: z.object({
    userUid: uid,
    /** The main pick up point after the call. */
    pupUid: uid,
    pickUpPointChanged: z.boolean(),
  }),
  errors: ['InvalidUserUid', 'InvalidPupUid'],
  missingFieldErrors: { userUid: 'InvalidUserUid' },
})
