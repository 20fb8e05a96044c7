import type { Row } from './row.ts'
import { quietP99, verdictOf } from './verdict.ts'

const heads = ['verdict', 'ratio', 'p99 before', 'beside', 'after', 'per second', 'waited', 'row'] as const

/**
 * A line per row: p99 in milliseconds, the attacker's rate, and the parts of the time in which the service waited for a
 * processor, alone and beside the attacker.
 * @param all rows that a verdict compares with; the printed ones by default
 */
export function toTable(rows: readonly Row[], all = rows): string {
  const lines = rows.map(row => [...cellsOf(row, all), `${row.site}, ${row.load}`])
  const table = [[...heads], ...lines]
  const widths = heads.map((_, column) => Math.max(...table.map(line => line[column]?.length ?? 0)))
  return table
    .map(line =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cellsOf(row: Row, all: readonly Row[]): string[] {
  const verdict = verdictOf(row, all)
  if ('error' in row) return [verdict, '', '', '', '', '', row.error]
  const { before, beside, after, rate } = row
  const times = [before, beside, after].map(({ p99 }) => p99.toFixed(1))
  const waited = [before, beside].map(phase => (phase.waited === null ? '?' : `${(phase.waited * 100).toFixed(1)} %`))
  return [verdict, (beside.p99 / quietP99(row)).toFixed(1), ...times, rate.toFixed(1), waited.join(', ')]
}
