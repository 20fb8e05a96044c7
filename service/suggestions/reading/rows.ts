import { type Suggestion, suggestion } from '#contract/suggestion'
import { type Columns, fields, toTitle } from './columns.ts'

/** A row of a file of any type. */
export interface RawRow {
  /** The number of the row in the file, from 1. */
  readonly row: number
  /** Trimmed texts. A spreadsheet omits trailing empty cells. */
  readonly cells: readonly string[]
  /** True for CSV, where fewer cells than columns mean a missing separator. */
  readonly exact: boolean
  /** Indexes of cells with an error value such as #N/A; absent for CSV, which has no such type. */
  readonly errors?: readonly number[]
}

export type ReadRow = { readonly suggestion: Suggestion } | { readonly problems: string }

/** @param isPickUpPoint accepts uids and names of the caller's pick up points */
export function readRow(
  { cells, exact, errors = [] }: RawRow,
  { at, count }: Columns,
  isPickUpPoint: (text: string) => boolean,
): ReadRow {
  const filled = cells.findLastIndex(cell => cell !== '') + 1
  if (filled > count || (exact && cells.length < count)) {
    return { problems: `The row must have ${count} columns, not ${Math.max(filled, exact ? cells.length : 0)}.` }
  }
  const broken = fields.filter(field => errors.includes(at[field]))
  const values = Object.fromEntries(
    fields.map(field => [field, broken.includes(field) ? null : cells[at[field]] || null]),
  )
  const { success, data, error } = suggestion.safeParse(values)
  const problems = broken.map(field => `${toTitle(field)} must not be an error value such as #N/A`)
  for (const { path, message } of error?.issues ?? []) {
    const field = fields.find(name => name === path[0]) ?? 'emailAddress'
    if (broken.includes(field)) continue
    problems.push(values[field] === null ? `${toTitle(field)} is missing` : `${toTitle(field)}: ${message}`)
  }
  if (values.pickUpPoint && !isPickUpPoint(values.pickUpPoint)) {
    problems.push('PickUpPoint must be the uid or the name of one of your pick up points')
  }
  return success && problems.length === 0 ? { suggestion: data } : { problems: `${problems.join('; ')}.` }
}
