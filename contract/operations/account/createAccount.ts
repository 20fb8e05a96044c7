import { operation } from '../../operation.ts'
import { accountErrors, accountRequest, accountResponse } from './account.ts'

export const CreateAccount = operation({
  name: 'CreateAccount',
  path: '/v1/Account/CreateAccount',
  summary: 'Creates an account. Fails if the e-mail address or the user name is taken.',
  effect: 'create',
  request: accountRequest,
  response: accountResponse,
  errors: [...accountErrors, 'UserNameAlreadyRegistered'],
  missingFieldErrors: { pickUpPointUid: 'InvalidPupUid' },
})
