import { z } from 'zod'
import { text } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { accountResponse, isExisting } from './account.ts'

/** A key to look up by; one of another form than such keys have finds nothing. */
const key = text(254).nullish()

export const GetAccount = operation({
  name: 'GetAccount',
  path: '/v1/Account/GetAccount',
  summary: 'Looks an account up by uid, user name or e-mail address, in that order.',
  section: 'Decisions: GetAccount',
  effect: 'read',
  request: z.object({ userUid: key, userName: key, emailAddress: key }),
  response: accountResponse.extend({ isExisting }),
  errors: [],
})
