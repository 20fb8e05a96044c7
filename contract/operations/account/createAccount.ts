import { operation } from '../../operation.ts'
import { accountErrors, accountRequest, accountResponse } from './account.ts'

export const CreateAccount = operation({
  name: 'CreateAccount',
  path: '/v1/Account/CreateAccount',
  summary: 'Creates an account; fails when one exists by e-mail address or user name.',
  section: 'Account management',
  effect: 'create',
  request: accountRequest,
  response: accountResponse,
  errors: accountErrors,
  absent: { pickUpPointUid: 'InvalidPupUid' },
})
