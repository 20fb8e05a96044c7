import { z } from 'zod'
import { countryCode, emailAddress, languageCode, name, phoneNumber, streetNo, uid } from '../../fields.ts'
import { together } from '../../groups.ts'
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
  summary: 'Changes what is given of an account; names go together, and so do the parts of an address.',
  section: 'Account management',
  effect: 'change',
  request: together(together(request, ['firstName', 'lastName']), [
    'streetName',
    'streetNo',
    'mailbox',
    'city',
    'countryCode',
  ]),
  response: accountResponse.omit({ userName: true }),
  errors: ['InvalidUserUid', 'EmailAlreadyRegistered'],
  absent: { userUid: 'InvalidUserUid' },
})
