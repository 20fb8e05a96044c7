import type { MeasuredRow, Row } from './row.ts'

/** `disturbed` rows show nothing, since something else held the measured tenant up. Those of `idle` loads did nothing. */
export type Verdict = 'held' | 'beyond' | 'disturbed' | 'idle' | 'failed'

/** The p99 beside another tenant stays below this many times the quiet one. */
const bar = 3

/** A quiet p99 of more than this many times the usual one of its site was not quiet. */
const steady = 2

/** The lower p99 of the two phases in which the tenant is alone, so that a disturbance of one does not widen the bar. */
export function quietP99({ before, after }: Pick<MeasuredRow, 'before' | 'after'>): number {
  return Math.min(before.p99, after.p99)
}

/** @param rows all of the run: the quiet calls are the same in each */
export function verdictOf(row: Row, rows: readonly Row[]): Verdict {
  if ('error' in row) return 'failed'
  if (row.rate === 0) return 'idle'
  const quiet = quietP99(row)
  if (row.beside.p99 >= bar * quiet) return 'beyond'
  const quiets = rows.flatMap(other => (other.site !== row.site || 'error' in other ? [] : [quietP99(other)]))
  return quiet > steady * median(quiets) ? 'disturbed' : 'held'
}

/** The lower one of two. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.POSITIVE_INFINITY
}
