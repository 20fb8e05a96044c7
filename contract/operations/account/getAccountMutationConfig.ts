import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { mutationConfigResponse } from './mutationConfig.ts'

export const GetAccountMutationConfig = operation({
  name: 'GetAccountMutationConfig',
  path: '/v1/Account/GetAccountMutationConfig',
  summary: "Returns the permissions of an account's user.",
  effect: 'read',
  request: z.object({ userUid: uid }),
  response: mutationConfigResponse,
  errors: ['InvalidUserUid'],
  missingFieldErrors: { userUid: 'InvalidUserUid' },
})
