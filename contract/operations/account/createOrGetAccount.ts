import { operation } from '../../operation.ts'
import { accountErrors, accountRequest, accountResponse, isExisting } from './account.ts'

export const CreateOrGetAccount = operation({
  name: 'CreateOrGetAccount',
  path: '/v1/Account/CreateOrGetAccount',
  summary: 'Returns the account with this e-mail address or user name, or creates one.',
  effect: 'create',
  request: accountRequest,
  response: accountResponse.extend({ isExisting }),
  errors: accountErrors,
  missingFieldErrors: { pickUpPointUid: 'InvalidPupUid' },
})
