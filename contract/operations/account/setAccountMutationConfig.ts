import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { mutationConfig } from './account.ts'
import { mutationConfigResponse } from './mutationConfig.ts'

export const SetAccountMutationConfig = operation({
  name: 'SetAccountMutationConfig',
  path: '/v1/Account/SetAccountMutationConfig',
  summary: "Sets the permissions of an account's user. Null and absent flags stay unchanged.",
  effect: 'change',
  request: mutationConfig.extend({ userUid: uid }),
  response: mutationConfigResponse,
  errors: ['InvalidUserUid'],
  missingFieldErrors: { userUid: 'InvalidUserUid' },
})
