import { type Selectable, sql } from 'kysely'
import { isManagedBy } from '../accounts/index.ts'
import type { Call } from '../call.ts'
import type { SuggestionRow } from '../store/tables.ts'
import { toRange, toSearchPattern } from './words.ts'

/** Suggestions that a search considers. It bounds the time of a search whose words are in most suggestions. */
const maxCandidates = 2_000

export interface SearchedPage {
  readonly offset: number
  readonly pageSize: number
}

/** A suggestion, and the account with its address if the caller manages it. */
export type FoundSuggestion = Selectable<SuggestionRow> & { readonly user_uid: string | null }

export interface SearchResult {
  readonly total: number
  readonly rows: readonly FoundSuggestion[]
}

/** Positions are 32-bit integers on PostgreSQL, and no upload reaches this one. */
const pastEveryPosition = 1_000_000_000

/** Lists the active upload in the order of its file. One statement, so that total and rows are of one upload. */
export async function listSuggestions(call: Call, page: SearchedPage): Promise<SearchResult> {
  const first = Math.min(page.offset, pastEveryPosition)
  const rows = await call.tx
    .selectFrom('suggestion_uploads as upload')
    .leftJoin('suggestions', join =>
      join
        .onRef('suggestions.upload_id', '=', 'upload.upload_id')
        .on('suggestions.position', '>=', first)
        .on('suggestions.position', '<', first + page.pageSize),
    )
    .leftJoin('accounts', join =>
      join.onRef('accounts.email_key', '=', 'suggestions.email_key').on(eb => isManagedBy(eb, call.tenantId)),
    )
    .where('upload.tenant_id', '=', call.tenantId)
    .where('upload.active', '=', 1)
    .selectAll('suggestions')
    .select(['accounts.user_uid', 'upload.line_count as total'])
    .orderBy('suggestions.position')
    .execute()
  return toResult(rows)
}

/**
 * Lists the suggestions of the active upload that have a word beginning with each of the given ones, in the order of the
 * file. One statement, so that total and rows are of one upload.
 * @param words of `toSearchWords`, at least one
 */
export async function searchSuggestions(
  call: Call,
  words: readonly string[],
  { offset, pageSize }: SearchedPage,
): Promise<SearchResult> {
  const [rarest = '', ...others] = await sortByFrequency(call, words)
  const patterns = others.map(toSearchPattern)
  const rows = await call.tx
    .with(
      cte => cte('candidate').materialized(),
      db =>
        db
          .selectFrom(
            selectPositions(call, rarest).orderBy('word').orderBy('position').limit(maxCandidates).as('first'),
          )
          .select(['upload_id', 'position'])
          .distinct(),
    )
    .with(
      cte => cte('matching').materialized(),
      db => {
        const candidates = db.selectFrom('candidate').select(['candidate.upload_id', 'candidate.position'])
        if (patterns.length === 0) return candidates
        const rows = candidates.innerJoin('suggestions', join =>
          join
            .onRef('suggestions.upload_id', '=', 'candidate.upload_id')
            .onRef('suggestions.position', '=', 'candidate.position'),
        )
        return patterns.reduce(
          (query, pattern) => query.where(sql<boolean>`search_key like ${pattern} escape '!'`),
          rows,
        )
      },
    )
    .selectFrom(db =>
      db
        .selectFrom('matching')
        .select(({ fn }) => fn.countAll().as('total'))
        .as('counted'),
    )
    .leftJoin(
      db => db.selectFrom('matching').selectAll().orderBy('position').limit(pageSize).offset(offset).as('page'),
      join => join.onTrue(),
    )
    .leftJoin('suggestions', join =>
      join.onRef('suggestions.upload_id', '=', 'page.upload_id').onRef('suggestions.position', '=', 'page.position'),
    )
    .leftJoin('accounts', join =>
      join.onRef('accounts.email_key', '=', 'suggestions.email_key').on(eb => isManagedBy(eb, call.tenantId)),
    )
    .selectAll('suggestions')
    .select(['accounts.user_uid', 'counted.total'])
    .orderBy('suggestions.position')
    .execute()
  return toResult(rows)
}

/** Puts the word first that the fewest suggestions have. Counts beyond the limit do not matter. */
async function sortByFrequency(call: Call, words: readonly string[]): Promise<readonly string[]> {
  if (words.length < 2) return words
  const counts = words.map((word, at) =>
    call.tx
      .selectFrom(
        selectPositions(call, word)
          .limit(maxCandidates + 1)
          .as('some'),
      )
      .select(({ fn }) => [sql.lit(at).as('at'), fn.countAll().as('count')]),
  )
  const [first, ...rest] = counts
  if (first === undefined) return words
  const counted = await rest.reduce((all, one) => all.unionAll(one), first).execute()
  return counted.toSorted((a, b) => Number(a.count) - Number(b.count)).map(({ at }) => words[at] ?? '')
}

/** The places in the active upload of suggestions that have a word with this beginning. */
function selectPositions({ tx, tenantId }: Call, word: string) {
  const { from, to } = toRange(word)
  return tx
    .selectFrom('suggestion_words')
    .select(['upload_id', 'word', 'position'])
    .where('upload_id', '=', db =>
      db
        .selectFrom('suggestion_uploads')
        .select('suggestion_uploads.upload_id')
        .where('tenant_id', '=', tenantId)
        .where('active', '=', 1),
    )
    .where('word', '>=', from)
    .where('word', '<', to)
}

/** An empty page is one row without a suggestion. A tenant without an upload has no rows. */
function toResult(
  rows: readonly ({ readonly total: unknown } & {
    readonly [Column in keyof FoundSuggestion]: FoundSuggestion[Column] | null
  })[],
): SearchResult {
  const found = rows.filter(row => row.email !== null) as readonly FoundSuggestion[]
  return { total: Number(rows[0]?.total ?? 0), rows: found }
}
