import { z } from 'zod'
import {
  countryCode,
  emailAddress,
  languageCode,
  name,
  phoneNumber,
  requireTogether,
  streetNo,
  uid,
} from '../../fields.ts'
import { operation } from '../../operation.ts'
import { accountResponse } from './account.ts'

const request = z.object({
  userUid: uid,
  emailAddress: emailAddress.nullish(),
  phoneNumber: phoneNumber.nullish(),
  languageCode: languageCode.nullish(),
  firstName: name.nullish(),
  lastName: name.nullish(),
  streetName: name.nullish(),
  streetNo: streetNo.nullish(),
  mailbox: name.nullish(),
  city: name.nullish(),
  countryCode: countryCode.nullish(),
})

export const SetAccountDetails = operation({
  name: 'SetAccountDetails',
  path: '/v1/Account/SetAccountDetails',
  summary:
    'Updates the given fields of an account. First and last name must be set together, and so must all parts of an address.',
  specSection: 'Account management',
  effect: 'change',
  request: requireTogether(requireTogether(request, ['firstName', 'lastName']), [
    'streetName',
    'streetNo',
    'mailbox',
    'city',
    'countryCode',
  ]),
  response: accountResponse.omit({ userName: true }),
  errors: ['InvalidUserUid', 'EmailAlreadyRegistered'],
  missingFieldErrors: { userUid: 'InvalidUserUid' },
})
