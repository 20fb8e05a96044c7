import { suggestion } from '#contract'
import { Refusal } from '../../operations/call.ts'

type Field = keyof typeof suggestion.shape

export const fields = Object.keys(suggestion.shape) as Field[]

/** Where each column of the file is, and how many columns there are. */
export interface Columns {
  readonly at: Readonly<Record<Field, number>>
  readonly count: number
}

/** The name of a column in the file (specification, UploadAccountSuggestions). */
export function titleOf(field: Field): string {
  return field.charAt(0).toUpperCase() + field.slice(1)
}

/**
 * Finds the columns by the header, in any casing and order; columns that are unknown are left alone.
 * @throws Refusal InvalidHeader
 */
export function columnsOf(header: readonly string[], most: number): Columns {
  const names = header.map(name => name.toLowerCase())
  if (names.length > most) throw new Refusal('InvalidHeader', `The header has more than ${most} columns.`)
  const places = fields.map(field => [field, names.indexOf(field.toLowerCase())] as const)
  const missing = places.filter(([, at]) => at < 0).map(([field]) => titleOf(field))
  if (missing.length > 0) {
    throw new Refusal(
      'InvalidHeader',
      `The header lacks ${missing.join(', ')}; in a CSV file ; is between the columns.`,
    )
  }
  const twice = places.filter(([, at]) => names.indexOf(names[at] ?? '', at + 1) >= 0).map(([field]) => titleOf(field))
  if (twice.length > 0) throw new Refusal('InvalidHeader', `The header has ${twice.join(', ')} twice.`)
  return { at: Object.fromEntries(places) as Record<Field, number>, count: names.length }
}
