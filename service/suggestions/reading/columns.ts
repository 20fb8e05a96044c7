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

/** Characters of the file that a message repeats. */
const maxQuoted = 100

/**
 * Finds the columns by the header, in any casing and order. Unknown columns are ignored.
 * @param sheet its name; undefined for CSV
 * @throws OperationError InvalidHeader
 */
export function locateColumns(header: readonly string[], sheet: string | undefined, maxColumns: number): Columns {
  const names = header.map(name => name.toLowerCase())
  if (names.length > maxColumns) throw invalidHeader(`have at most ${maxColumns} columns`, sheet, header)
  const places = fields.map(field => [field, names.indexOf(field.toLowerCase())] as const)
  const missing = places.filter(([, at]) => at < 0).map(([field]) => toTitle(field))
  if (missing.length > 0) {
    const separators = sheet === undefined ? '; CSV columns are separated by semicolons' : ''
    throw invalidHeader(`have the columns ${missing.join(', ')}${separators}`, sheet, header)
  }
  const duplicates = places
    .filter(([, at]) => names.indexOf(names[at] ?? '', at + 1) >= 0)
    .map(([field]) => toTitle(field))
  if (duplicates.length > 0) throw invalidHeader(`not repeat the columns ${duplicates.join(', ')}`, sheet, header)
  return { at: Object.fromEntries(places) as Record<Field, number>, count: names.length }
}

/** @param header undefined if there is none */
export function invalidHeader(demand: string, sheet: string | undefined, header?: readonly string[]): OperationError {
  const place = sheet === undefined ? 'file' : `sheet ${quote(sheet)}`
  const found = header === undefined ? 'It is empty.' : `Its first row is ${quote(header.join(';'))}.`
  return new OperationError('InvalidHeader', `The ${place} must ${demand}. ${found}`)
}

/** Quotes a text from outside in one short line, without characters that change the display of the others. */
function quote(text: string): string {
  const shown = text
    .slice(0, maxQuoted)
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
  return `"${shown}${text.length > maxQuoted ? '…' : ''}"`
}
