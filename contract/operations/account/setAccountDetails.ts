import { z } from 'zod'
import { countryCode, languageCode, name, phoneNumber, requireTogether, streetNo, uid } from '../../fields.ts'
import { operation } from '../../operation.ts'
import { accountResponse, emailAddress } from './account.ts'

/** The empty text empties the field. */
const orEmpty = <Text extends z.ZodType<string>>(declared: Text) => z.union([z.literal(''), declared]).nullish()

const request = z.object({
  userUid: uid,
  emailAddress: emailAddress.nullish(),
  phoneNumber: orEmpty(phoneNumber),
  languageCode: orEmpty(languageCode),
  firstName: name.nullish(),
  lastName: name.nullish(),
  streetName: orEmpty(name),
  streetNo: orEmpty(streetNo),
  mailbox: orEmpty(name),
  city: orEmpty(name),
  countryCode: orEmpty(countryCode),
})

export const SetAccountDetails = operation({
  name: 'SetAccountDetails',
  path: '/v1/Account/SetAccountDetails',
  summary:
    'Updates the given fields of an account; an empty text empties an optional one. First and last name must be set together, and so must all parts of an address.',
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
