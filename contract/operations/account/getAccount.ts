import { z } from 'zod'
import { optional, text } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { accountResponse, isExisting } from './account.ts'

/** A key in any form; a malformed one finds no account. */
const lookupKey = optional(text(254))

export const GetAccount = operation({
  name: 'GetAccount',
  path: '/v1/Account/GetAccount',
  summary: 'Finds an account by uid, user name or e-mail address, in that order.',
  effect: 'read',
  request: z.object({
    userUid: lookupKey,
    /** Accounts are stored without the blanks around a user name. */
    userName: optional(text(254).trim()),
    emailAddress: lookupKey,
  }),
  response: accountResponse.extend({ isExisting }),
  errors: [],
})
