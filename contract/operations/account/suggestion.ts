import { z } from 'zod'
import { description, emailAddress, languageCode, name, phoneNumber } from '../../fields.ts'

/**
 * One row of an upload by its columns, whose names in the file begin with a capital; an empty cell is null
 * (specification, UploadAccountSuggestions).
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
