import { z } from 'zod'
import { optional, pageInfo, pageRequest, text } from '../../fields.ts'
import { operation } from '../../operation.ts'

const item = z
  .object({
    emailAddress: z.string(),
    phoneNumber: z.string().nullable(),
    languageCode: z.string().nullable(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    remarks: z.string().nullable(),
    pickUpPoint: z.string().nullable(),
    /** Set if the caller manages an account with this address. */
    userUid: z.string().nullable(),
  })
  .meta({ id: 'AccountSuggestion' })

/** A search costs time for each word. No two parts can match the same blanks, so matching takes linear time. */
const searchText = text(254).regex(/^\s*(?:\S+(?:\s+\S+){0,7}\s*)?$/, 'must have at most 8 words')

export const GetAccountSuggestions = operation({
  name: 'GetAccountSuggestions',
  path: '/v1/Account/GetAccountSuggestions',
  summary:
    'Lists the suggestions of the active upload whose name or e-mail address has a word that begins with each word of searchText.',
  effect: 'read',
  request: z.object({ ...pageRequest, searchText: optional(searchText) }),
  response: z.object({ items: z.array(item), ...pageInfo }),
  errors: [],
})
