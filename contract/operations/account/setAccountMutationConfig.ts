import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { mutationConfig } from './account.ts'
import { mutationConfigResponse } from './mutationConfig.ts'

export const SetAccountMutationConfig = operation({
  name: 'SetAccountMutationConfig',
  path: '/v1/Account/SetAccountMutationConfig',
  summary: 'Sets what the user of an account may change; null and absent leave a flag as it is.',
  section: 'Account management',
  effect: 'change',
  request: mutationConfig.extend({ userUid: uid }),
  response: mutationConfigResponse,
  errors: ['InvalidUserUid'],
  absent: { userUid: 'InvalidUserUid' },
})
