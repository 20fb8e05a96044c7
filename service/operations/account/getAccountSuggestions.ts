import { type Selectable, sql } from 'kysely'
import { isManagedBy } from '../../accounts/index.ts'
import type { Call } from '../../call.ts'
import { toPage } from '../../page.ts'
import type { SuggestionRow } from '../../store/tables.ts'
import type { Handler } from '../handler.ts'

/** Returns the suggestions of the caller's active upload that contain every word of the text, in the order of the file. */
export const GetAccountSuggestions: Handler<'GetAccountSuggestions'> = async (call, request) => {
  const matching = toSearchWords(request.searchText).reduce(
    (query, word) => query.where(sql<boolean>`search_key like ${`%${word}%`} escape '!'`),
    selectActiveSuggestions(call),
  )
  const { total } = await matching.select(eb => eb.fn.countAll().as('total')).executeTakeFirstOrThrow()
  const page = toPage(request, Number(total))
  const rows = await matching
    .leftJoin('accounts', join =>
      join.onRef('accounts.email_key', '=', 'suggestions.email_key').on(eb => isManagedBy(eb, call.tenantId)),
    )
    .selectAll('suggestions')
    .select('accounts.user_uid')
    .orderBy('row_number')
    .limit(request.pageSize)
    .offset(page.offset)
    .execute()
  return { items: rows.map(toSuggestionItem), ...page.count }
}

function selectActiveSuggestions({ tx, tenantId }: Call) {
  return tx
    .selectFrom('suggestions')
    .innerJoin('suggestion_uploads as upload', 'upload.upload_id', 'suggestions.upload_id')
    .where('upload.tenant_id', '=', tenantId)
    .where('upload.active', '=', 1)
}

function toSearchWords(text: string | null | undefined): string[] {
  const words = (text ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  return words.map(word => word.replace(/[!%_]/g, '!$&'))
}

function toSuggestionItem(row: Selectable<SuggestionRow> & { readonly user_uid: string | null }) {
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
