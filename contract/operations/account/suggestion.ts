import { z } from 'zod'
import { description, languageCode, name, phoneNumber } from '../../fields.ts'
import { emailAddress } from './account.ts'

/**
 * One row of an upload. Column titles begin with a capital; empty cells are null (specification,
 * UploadAccountSuggestions).
 */
export const suggestion = z.object({
  emailAddress,
  phoneNumber: phoneNumber.nullable(),
  languageCode: languageCode.nullable(),
  firstName: name.nullable(),
  lastName: name.nullable(),
  remarks: description.unwrap(),
  pickUpPoint: name.nullable(),
})

export type Suggestion = z.output<typeof suggestion>
