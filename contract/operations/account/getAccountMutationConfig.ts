import { z } from 'zod'
import { uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { mutationConfigResponse } from './mutationConfig.ts'

export const GetAccountMutationConfig = operation({
  name: 'GetAccountMutationConfig',
  path: '/v1/Account/GetAccountMutationConfig',
  summary: 'Tells what the user of an account may change.',
  section: 'Decisions: Accounts, GetAccountMutationConfig',
  effect: 'read',
  request: z.object({ userUid: uid }),
  response: mutationConfigResponse,
  errors: ['InvalidUserUid'],
  absent: { userUid: 'InvalidUserUid' },
})
