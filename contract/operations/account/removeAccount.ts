import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'

export const RemoveAccount = operation({
  name: 'RemoveAccount',
  path: '/v1/Account/RemoveAccount',
  summary: 'Removes an account that sends and receives nothing now; its ended shipments stay.',
  section: 'Account management',
  effect: 'change',
  request: z.object({ userUid: uid }),
  response: z.object({}),
  errors: ['InvalidUserUid', 'AccountInUse'],
  absent: { userUid: 'InvalidUserUid' },
})
