import type { Suggestion } from '#contract'
import { toTextKey } from '../textKey.ts'

/** An accepted row of a file. */
export interface SuggestionLine extends Suggestion {
  /** Place among the accepted rows of the file, from 0. */
  readonly position: number
  /** The words of the line, see `toSearchKey`. */
  readonly searchKey: string
}

/** The columns of text of a stored row, in the order of `toValues`. */
export const lineColumns: Readonly<Record<string, (line: SuggestionLine) => string | null>> = {
  email_key: line => toTextKey(line.emailAddress),
  email: line => line.emailAddress,
  phone_number: line => line.phoneNumber,
  language_code: line => line.languageCode,
  first_name: line => line.firstName,
  last_name: line => line.lastName,
  remarks: line => line.remarks,
  pick_up_point: line => line.pickUpPoint,
  search_key: line => line.searchKey,
}

const readers = Object.values(lineColumns)

/** The values of a stored row: its position, and the texts of `lineColumns`. */
export function toValues(line: SuggestionLine): readonly (string | number | null | undefined)[] {
  return [line.position, ...readers.map(read => read(line)?.toWellFormed())]
}
