import { z } from 'zod'
import { page, pageCount, text } from '../../fields.ts'
import { operation } from '../../operation.ts'

const item = z.object({
  emailAddress: z.string(),
  phoneNumber: z.string().nullable(),
  languageCode: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  remarks: z.string().nullable(),
  pickUpPoint: z.string().nullable(),
  /** Of the account with this address, when there is one that the caller may manage. */
  userUid: z.string().nullable(),
})

export const GetAccountSuggestions = operation({
  name: 'GetAccountSuggestions',
  path: '/v1/Account/GetAccountSuggestions',
  summary: 'Lists the suggestions of the active upload whose name or e-mail address has every word of searchText.',
  section: 'Decisions: GetAccountSuggestions',
  effect: 'read',
  request: z.object({ ...page, searchText: text(254).nullish() }),
  response: z.object({ items: z.array(item), ...pageCount }),
  errors: [],
})
