import { toPage } from '../../page.ts'
import { type FoundSuggestion, listSuggestions, searchSuggestions, toSearchWords } from '../../suggestions/index.ts'
import type { Handler } from '../handler.ts'

/** Returns the suggestions of the caller's active upload that have each word of the text, in the order of the file. */
export const GetAccountSuggestions: Handler<'GetAccountSuggestions'> = async (call, request) => {
  const words = toSearchWords(request.searchText)
  const { offset } = toPage(request, 0)
  const page = { offset, pageSize: request.pageSize }
  const { total, rows } =
    words.length === 0 ? await listSuggestions(call, page) : await searchSuggestions(call, words, page)
  return { items: rows.map(toSuggestionItem), ...toPage(request, total).count }
}

function toSuggestionItem(row: FoundSuggestion) {
  return {
    emailAddress: row.email,
    phoneNumber: row.phone_number,
    languageCode: row.language_code,
    firstName: row.first_name,
    lastName: row.last_name,
    remarks: row.remarks,
    pickUpPoint: row.pick_up_point,
    userUid: row.user_uid,
  }
}
