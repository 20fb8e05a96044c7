import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Call } from '../call.ts'
import type { Store } from '../store/index.ts'
import { hasRowLocks } from '../store/locks.ts'
import { isInQuery } from '../store/statements.ts'
import type { Tables } from '../store/tables.ts'
import { rangesByChange } from './changeRanges.ts'
import { bigintValue, type CountedShipments } from './countTables.ts'
import { type ListedRow, selectListed } from './listedRow.ts'
import { findPageStart } from './pageStart.ts'
import { rangesByCreation } from './ranges.ts'

/** Shipments of one call have the same creation time, so sort by `seq`. */
export const sortColumns = {
  CreatedAsc: ['seq', 'asc'],
  CreatedDesc: ['seq', 'desc'],
  ActivityAsc: ['updated_at', 'asc'],
  ActivityDesc: ['updated_at', 'desc'],
} as const

const opposite = { asc: 'desc', desc: 'asc' } as const

interface SelectedPage {
  readonly order: (typeof sortColumns)[keyof typeof sortColumns]
  readonly offset: number
  readonly pageSize: number
  /** The total, if the page is read from the end. `pageSize` is then the number of its shipments. */
  readonly fromEnd?: RawBuilder<number>
  /** Sorts the matching shipments, instead of a walk by the index of the order past those that do not match. */
  readonly bySorting: boolean
}

/** Reads a page of the matching shipments. */
export async function readPage(
  { tx }: Call,
  matching: SelectQueryBuilder<Tables, 'shipments', { seq: number }>,
  { order: [column, direction], offset, pageSize, fromEnd, bySorting }: SelectedPage,
): Promise<ListedRow[]> {
  // A database does not read an index to sort by an expression.
  const [first, second] = bySorting
    ? [sql`${sql.ref(`shipments.${column}`)} + 0`, sql`shipments.seq + 0`]
    : [sql.ref(`shipments.${column}`), sql.ref('shipments.seq')]
  // The skipped rows are read from the index alone. The total is that of this statement: a shipment that was created since the
  // count must not shift the page.
  const [walked, skipped] =
    fromEnd === undefined
      ? [direction, offset]
      : [opposite[direction], notNegative(tx, sql`${fromEnd} - ${bigintValue(offset + pageSize)}`)]
  const seqs = matching.orderBy(first, walked).orderBy(second, walked).limit(pageSize).offset(skipped)
  return selectListed(tx)
    .where('shipments.seq', 'in', seqs)
    .orderBy(`shipments.${column}`, direction)
    .orderBy('shipments.seq', direction)
    .execute()
}

interface FarPage extends Pick<SelectedPage, 'order' | 'offset' | 'pageSize'> {
  readonly total: RawBuilder<number>
  readonly counted: CountedShipments
}

const rangesBy = { seq: rangesByCreation, updated_at: rangesByChange } as const

/** Reads a page far from both ends of shipments that `areInRanges`. */
export async function readFarPage(
  { tx }: Call,
  matching: SelectQueryBuilder<Tables, 'shipments', { seq: number }>,
  { order: [column, direction], offset, pageSize, total, counted }: FarPage,
): Promise<ListedRow[]> {
  // The total is that of this statement, as in `readPage`.
  const position = direction === 'asc' ? offset : notNegative(tx, sql`${total} - ${bigintValue(offset + pageSize)}`)
  const { queries, after, offset: skipped } = findPageStart(rangesBy[column](counted), position)
  const rest = matching.where(`shipments.${column}`, '>', after).orderBy(`shipments.${column}`).orderBy('shipments.seq')
  const page = rest.limit(pageSize).offset(skipped)
  // PostgreSQL overestimates the cost of reading the ranges. Beside it, a join of the page with half of all shipments seems free.
  const seqs = sql<number>`(with ${queries} select seq from ${page} as page)`
  return selectListed(tx)
    .where(isInQuery(tx, 'shipments.seq', seqs))
    .orderBy(`shipments.${column}`, direction)
    .orderBy('shipments.seq', direction)
    .execute()
}

/** PostgreSQL refuses a negative offset: shipments may have been purged. */
function notNegative(db: Store, value: RawBuilder<unknown>): RawBuilder<number> {
  return hasRowLocks(db) ? sql<number>`greatest(${value}, 0)` : sql<number>`max(${value}, 0)`
}
