import { isRecord } from '#contract/terms'
import type { Field, FieldName, Fields } from '../declaration/fields.ts'
import type { Json } from '../declaration/sources.ts'
import { isDate, readMoment } from './moments.ts'
import { memberOf } from './paths.ts'

/** @see the limit of uids in the contract */
const maxUid = 64

type Check = readonly [isValid: (value: unknown) => boolean, must: string]

const checks: Readonly<Record<FieldName, Check>> = {
  text: [value => typeof value === 'string', 'must be a text'],
  number: [Number.isFinite, 'must be a number'],
  integer: [Number.isSafeInteger, 'must be an integer'],
  boolean: [value => typeof value === 'boolean', 'must be true or false'],
  instant: [
    value => typeof value === 'string' && !isDate(value) && readMoment(value) !== undefined,
    'must be a time such as "2026-11-21T08:00:00Z"',
  ],
  date: [value => typeof value === 'string' && isDate(value), 'must be a date such as "2026-11-21"'],
  uid: [isUid, `must be a uid of 1 to ${maxUid} characters`],
}

/** True for a text of the length of a uid. */
export function isUid(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxUid
}

/**
 * Compares a value with its declared fields. Returns a sentence for each fault, such as
 * `fields.cents: must be an integer, got a text.`, and none for a valid value. Texts are not repeated: they can be personal.
 * @param at the name of the value
 */
export function checkFields(fields: Fields, value: unknown, at = 'fields'): string[] {
  if (!isRecord(value)) return [toSentence(at, 'must be an object', value)]
  const unknown = Object.keys(value).filter(name => !Object.hasOwn(fields, name))
  const known = Object.keys(fields)
  return [
    ...Object.entries(fields).flatMap(([name, field]) => faultsOf(field, memberOf(value, name), `${at}.${name}`)),
    ...unknown.map(name => `${at}.${name}: must be one of the fields ${known.join(', ') || '(none)'}.`),
  ]
}

/** The declared fields of a value, without all others. */
export function pickFields(fields: Fields, value: unknown): Json {
  if (!isRecord(value)) return (value ?? null) as Json
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const member = memberOf(value, name)
      return member === undefined ? [] : [[name, pickField(field, member)]]
    }),
  )
}

export type FieldCheck =
  | { readonly output: { readonly [field: string]: Json } }
  | { readonly faults: readonly string[] }

/** The declared fields of a result, in any language, or its faults. A result without fields may be absent. */
export function readFields(fields: Fields, result: unknown, at: string): FieldCheck {
  const output = pickFields(fields, result ?? {})
  const faults = checkFields(fields, output, at)
  return faults.length > 0 || !isRecord(output) ? { faults } : { output }
}

function pickField(field: Field, value: Json): Json {
  if (typeof field === 'string' || isChoice(field)) return value
  if ('optional' in field) return pickField(field.optional, value)
  if ('list' in field) return Array.isArray(value) ? value.map(member => pickField(field.list, member)) : value
  return pickFields(field.fields, value)
}

function faultsOf(field: Field, value: Json | undefined, at: string): string[] {
  if (typeof field === 'string') {
    const [isValid, must] = checks[field]
    return isValid(value) ? [] : [toSentence(at, must, value)]
  }
  if (isChoice(field)) {
    return typeof value === 'string' && field.includes(value)
      ? []
      : [toSentence(at, `must be one of ${field.join(', ')}`, value)]
  }
  if ('optional' in field) return value === undefined || value === null ? [] : faultsOf(field.optional, value, at)
  if ('fields' in field) return checkFields(field.fields, value, at)
  if (!Array.isArray(value)) return [toSentence(at, 'must be a list', value)]
  return value.flatMap((member: Json, index) => faultsOf(field.list, member, `${at}[${index}]`))
}

function isChoice(field: Exclude<Field, string>): field is readonly string[] {
  return Array.isArray(field)
}

function toSentence(at: string, must: string, value: unknown): string {
  return `${at}: ${must}, got ${describe(value)}.`
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'a text'
  return Array.isArray(value) ? 'a list' : 'an object'
}
