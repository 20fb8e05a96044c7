import type { Selectable } from 'kysely'
import type { AccountRow } from '../store/tables.ts'
import { toTextKey } from '../textKey.ts'

/** Returns whether a text contains the person's e-mail address, user name, phone number or full name. */
export type Matches = (text: string | null) => boolean

type Names = Pick<Selectable<AccountRow>, 'email' | 'user_name' | 'phone_number' | 'first_name' | 'last_name'>

/** Shorter values would match words of other persons. */
const minimumLength = 3

/** Compares whole words by their keys. Without an account, no text matches. */
export function createMatcher(account: Names | undefined): Matches {
  if (account === undefined) return () => false
  const { email, user_name, phone_number, first_name, last_name } = account
  const values = [email, user_name, phone_number, `${first_name} ${last_name}`, `${last_name} ${first_name}`]
  const words = values.filter(value => value !== null).filter(value => value.length >= minimumLength)
  const alternatives = words.map(value => toTextKey(value).replace(/[\^$.*+?()[\]{}|/\\]/g, '\\$&')).join('|')
  if (alternatives === '') return () => false
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`, 'u')
  return text => text !== null && pattern.test(toTextKey(text))
}

/**
 * Replaces strings of a JSON text.
 * @returns the new text, or undefined when nothing is replaced
 */
export function replaceInJson(
  body: string,
  isErased: (text: string, field: string) => boolean,
  replacement: string | null,
): string | undefined {
  let found = false
  const replaced = JSON.stringify(
    JSON.parse(body, (field, value: unknown) => {
      if (typeof value !== 'string' || !isErased(value, field)) return value
      found = true
      return replacement
    }),
  )
  return found ? replaced : undefined
}
