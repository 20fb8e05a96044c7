import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'

export const RemoveAccount = operation({
  name: 'RemoveAccount',
  path: '/v1/Account/RemoveAccount',
  summary: 'Removes an account without active shipments. Its ended shipments stay.',
  effect: 'change',
  request: z.object({ userUid: uid }),
  response: z.object({}),
  errors: ['InvalidUserUid', 'AccountInUse'],
  missingFieldErrors: { userUid: 'InvalidUserUid' },
})
