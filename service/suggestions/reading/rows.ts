import { type Suggestion, suggestion } from '#contract'
import { type Columns, fields, titleOf } from './columns.ts'
import type { RawRow } from './rawRow.ts'

/** A row that can be kept, or what is wrong with it. */
export type ReadRow = { readonly suggestion: Suggestion } | { readonly wrong: string }

/** Reads a row by its columns; `isPickUpPoint` knows uids and names of the caller's own. */
export function readRow(
  { cells, exact }: RawRow,
  { at, count }: Columns,
  isPickUpPoint: (text: string) => boolean,
): ReadRow {
  const filled = cells.findLastIndex(cell => cell !== '') + 1
  if (filled > count || (exact && cells.length < count)) {
    return { wrong: `The row has ${Math.max(filled, exact ? cells.length : 0)} columns instead of ${count}` }
  }
  const values = Object.fromEntries(fields.map(field => [field, cells[at[field]] || null]))
  const { success, data, error } = suggestion.safeParse(values)
  const wrong = (error?.issues ?? []).map(({ path, message }) => {
    const field = fields.find(name => name === path[0]) ?? 'emailAddress'
    return values[field] === null ? `${titleOf(field)} is missing` : `${titleOf(field)}: ${message}`
  })
  if (values.pickUpPoint && !isPickUpPoint(values.pickUpPoint)) {
    wrong.push('PickUpPoint has to be the uid or the name of one of your pick up points')
  }
  return success && wrong.length === 0 ? { suggestion: data } : { wrong: wrong.join('; ') }
}
