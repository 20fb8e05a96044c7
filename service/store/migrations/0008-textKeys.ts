import { type Kysely, type RawBuilder, sql } from 'kysely'
import { toTextKey } from '../../textKey.ts'
import type { StoreKind, Up } from './declaration.ts'

/** Rows of one query. */
const sliceRows = 1_000

/** The keys of ASCII are the same as before. */
const isNotAscii = (column: string) => sql`octet_length(${sql.ref(column)}) <> length(${sql.ref(column)})`

/** Compares user names and searches suggestions by the keys of `toTextKey`. Those from before are only in lower case. */
export const textKeys: Up = async (db, kind) => {
  await foldUserNames(db)
  await foldSearchKeys(db, kind)
  await foldWords(db, kind)
}

/**
 * An account keeps its former key if another one has the new key: its user name stays, and the account is found by its uid and its
 * e-mail address.
 */
async function foldUserNames(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ user_uid: string; user_name_key: string }>`
    select user_uid, user_name_key from accounts
    where ${isNotAscii('user_name_key')} order by created_at, user_uid`.execute(db)
  for (const { user_uid, user_name_key } of rows) {
    const key = toTextKey(user_name_key)
    if (key === user_name_key) continue
    await sql`
      update accounts set user_name_key = ${key} where user_uid = ${user_uid}
      and not exists (select 1 from accounts as other where other.user_name_key = ${key})`.execute(db)
  }
}

interface SearchKey {
  readonly upload_id: string
  readonly email_key: string
  readonly search_key: string
}

async function foldSearchKeys(db: Kysely<unknown>, kind: StoreKind): Promise<void> {
  for (let last = { upload_id: '', email_key: '' }; ; ) {
    const { rows } = await sql<SearchKey>`
      select upload_id, email_key, search_key from suggestions
      where ${isNotAscii('search_key')} and (upload_id, email_key) > (${last.upload_id}, ${last.email_key})
      order by upload_id, email_key limit ${sql.lit(sliceRows)}`.execute(db)
    const end = rows.at(-1)
    if (end === undefined) return
    const changed = rows.filter(row => toTextKey(row.search_key) !== row.search_key)
    const values = changed.map(row => [row.upload_id, row.email_key, toTextKey(row.search_key)])
    await sql`
      update suggestions set search_key = value ->> 2 from ${toElements(values, kind)}
      where upload_id = value ->> 0 and email_key = value ->> 1`.execute(db)
    last = end
  }
}

interface Word {
  readonly upload_id: string
  readonly word: string
  readonly position: number
}

async function foldWords(db: Kysely<unknown>, kind: StoreKind): Promise<void> {
  for (let last: Word = { upload_id: '', word: '', position: 0 }; ; ) {
    const { rows } = await sql<Word>`
      select upload_id, word, position from suggestion_words
      where ${isNotAscii('word')} and (upload_id, word, position) > (${last.upload_id}, ${last.word}, ${last.position})
      order by upload_id, word, position limit ${sql.lit(sliceRows)}`.execute(db)
    const end = rows.at(-1)
    if (end === undefined) return
    const changed = rows.filter(({ word }) => toTextKey(word) !== word)
    const former = toElements(
      changed.map(row => [row.upload_id, row.word, row.position]),
      kind,
    )
    await sql`
      delete from suggestion_words where (upload_id, word, position) in
      (select value ->> 0, value ->> 1, cast(value ->> 2 as integer) from ${former})`.execute(db)
    const folded = toElements(
      changed.map(row => [row.upload_id, toTextKey(row.word), row.position]),
      kind,
    )
    // A suggestion can have both forms of a word.
    await sql`
      insert into suggestion_words (upload_id, word, position)
      select value ->> 0, value ->> 1, cast(value ->> 2 as integer) from ${folded} where true
      on conflict do nothing`.execute(db)
    last = end
  }
}

/** Rows of values as one parameter, each a list in the column `value`. */
function toElements(rows: readonly unknown[], kind: StoreKind): RawBuilder<unknown> {
  const json = JSON.stringify(rows)
  return kind === 'postgres' ? sql`json_array_elements(${json}::json)` : sql`json_each(${json})`
}
