import { z } from 'zod'
import { operation } from '../../operation.ts'
import { accountResponse, isExisting } from './account.ts'

/** A key to look up by; too long or empty finds nothing, so only the type is checked. */
const key = z.string().max(254).nullish()

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
