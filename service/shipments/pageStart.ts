import { type RawBuilder, sql } from 'kysely'

/** The shipments of a list by which the start of a page is found: counted ranges, and single shipments in no range. */
export interface PageRanges {
  /** A query of `range_end` and `number`: the ranges with their numbers of shipments. A range may have several rows. */
  readonly ranges: RawBuilder<unknown>
  /** Queries of `at`, the position of each shipment that no range counts. Such shipments are few. */
  readonly others: readonly RawBuilder<unknown>[]
}

/** The beginning of a page: `offset` shipments past `after`. Both are expressions that need the queries `queries`. */
export interface PageStart {
  readonly queries: RawBuilder<unknown>
  readonly after: RawBuilder<number>
  readonly offset: RawBuilder<number>
}

/**
 * Finds the last range before a page. The totals of the ranges lack the shipments of `others`, so they alone
 * lead too far. The query counts `others` up to that range, and then up to the range of the corrected total.
 * @param position the number of shipments that the page skips
 */
export function findPageStart({ ranges, others }: PageRanges, position: RawBuilder<number> | number): PageStart {
  const noShipment = sql`select 0 as at where 1 = 0`
  // The embedded store would count once for each range if a query did two of these steps.
  const queries = sql`
    others as materialized (${others.length === 0 ? noShipment : sql.join(others, sql` union all `)}),
    sums as materialized (
      select range_end, sum(sum(number)) over (order by range_end) as total
      from (${ranges}) as ranges group by range_end),
    latest as materialized (select max(range_end) as range_end from sums where total <= ${position}),
    before as materialized (select count(*) as number from others where at <= (select range_end from latest)),
    last as materialized (
      select range_end, total from sums
      where total + (select number from before) <= ${position} order by range_end desc limit 1),
    place as materialized (
      select range_end, total + (select count(*) from others where at <= range_end) as total from last)`
  return {
    queries,
    after: sql<number>`coalesce((select range_end from place), -1)`,
    offset: sql<number>`cast(${position} as bigint) - cast(coalesce((select total from place), 0) as bigint)`,
  }
}
