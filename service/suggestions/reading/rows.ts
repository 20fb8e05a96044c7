import { type Suggestion, suggestion } from '#contract/suggestion'
import { type Columns, fields, toTitle } from './columns.ts'

/** The content of a file of any type. */
export interface Table {
  /** The name of the sheet; absent for CSV. */
  readonly sheet?: string
  readonly rows: AsyncIterable<RawRow> | Iterable<RawRow>
}

/** A row of a file of any type. */
export interface RawRow {
  /** The number of the row in the file, from 1. */
  readonly row: number
  /** Trimmed texts. A spreadsheet omits trailing empty cells. */
  readonly cells: readonly string[]
  /** True for CSV, where fewer cells than columns mean a missing separator. */
  readonly exact: boolean
  /** Cells without a usable value; absent for CSV, which has none. */
  readonly errors?: readonly CellError[]
}

export interface CellError {
  /** From 0. */
  readonly column: number
  /** Follows the title of the column. */
  readonly problem: string
}

export const errorValue = 'must not be an error value such as #N/A'
export const unstoredValue =
  'must not be a formula without a stored value: open the file in a spreadsheet program and save it'

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
  const broken = new Map(errors.map(({ column, problem }) => [column, problem]))
  const values = Object.fromEntries(
    fields.map(field => [field, broken.has(at[field]) ? null : cells[at[field]] || null]),
  )
  const { success, data, error } = suggestion.safeParse(values)
  const problems = fields
    .filter(field => broken.has(at[field]))
    .map(field => `${toTitle(field)} ${broken.get(at[field])}`)
  for (const { path, message } of error?.issues ?? []) {
    const field = fields.find(name => name === path[0]) ?? 'emailAddress'
    if (broken.has(at[field])) continue
    problems.push(values[field] === null ? `${toTitle(field)} is missing` : `${toTitle(field)}: ${message}`)
  }
  if (values.pickUpPoint && !isPickUpPoint(values.pickUpPoint)) {
    problems.push('PickUpPoint must be the uid or the name of one of your pick up points')
  }
  return success && problems.length === 0 ? { suggestion: data } : { problems: `${problems.join('; ')}.` }
}
