import { suggestion } from '#contract/suggestion'
import { OperationError } from '../../operationError.ts'

type Field = keyof typeof suggestion.shape

export const fields = Object.keys(suggestion.shape) as Field[]

/** The index of each column, and the number of columns. */
export interface Columns {
  readonly at: Readonly<Record<Field, number>>
  readonly count: number
}

/** The column's title in the file (specification, UploadAccountSuggestions). */
export function toTitle(field: Field): string {
  return field.charAt(0).toUpperCase() + field.slice(1)
}

/**
 * Finds the columns by the header, in any casing and order. Unknown columns are ignored.
 * @throws OperationError InvalidHeader
 */
export function locateColumns(header: readonly string[], maxColumns: number): Columns {
  const names = header.map(name => name.toLowerCase())
  if (names.length > maxColumns)
    throw new OperationError('InvalidHeader', `The file must have at most ${maxColumns} columns.`)
  const places = fields.map(field => [field, names.indexOf(field.toLowerCase())] as const)
  const missing = places.filter(([, at]) => at < 0).map(([field]) => toTitle(field))
  if (missing.length > 0) {
    throw new OperationError(
      'InvalidHeader',
      `The file must have the columns ${missing.join(', ')}; CSV columns are separated by semicolons.`,
    )
  }
  const duplicates = places
    .filter(([, at]) => names.indexOf(names[at] ?? '', at + 1) >= 0)
    .map(([field]) => toTitle(field))
  if (duplicates.length > 0)
    throw new OperationError('InvalidHeader', `The file must not repeat the columns ${duplicates.join(', ')}.`)
  return { at: Object.fromEntries(places) as Record<Field, number>, count: names.length }
}
