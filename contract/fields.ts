import { iso31661Alpha2ToNumeric as assigned } from 'iso-3166/1-a2-to-1-n.js'
import { z } from 'zod'

/** Lengths in characters. */
const maxLength = {
  uid: 64,
  reference: 100,
  description: 1_000,
  name: 100,
  userName: 254,
  url: 2_000,
} as const

/** Levels of lists and objects in a body of the flow API and in a request of a flow. */
export const maxLevels = 100

/** True for a value of more levels, which exhausts the stack when it is read, encoded or encrypted. */
export function isTooDeep(value: unknown, levels = maxLevels): boolean {
  if (value === null || typeof value !== 'object') return false
  return levels === 0 || Object.values(value).some(member => isTooDeep(member, levels - 1))
}

/** Text without NUL, which PostgreSQL cannot store, and without lone surrogates, which SQLite would replace. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\0\ud800-\udfff]*$/u, 'must contain neither the character NUL nor a lone surrogate')

/** An optional text: the empty text counts as null. */
export const optional = <Text extends z.ZodType<string>>(declared: Text) =>
  z.union([z.literal('').transform(() => null), declared]).nullish()

export const uid = text(maxLength.uid).min(1)
export const reference = optional(text(maxLength.reference))
/** A reference that must be set. */
export const requiredReference = text(maxLength.reference).min(1)
export const description = optional(text(maxLength.description))
/**
 * Characters that a name must not contain: control characters besides tabs and line ends, as in an uploaded file, and those
 * that reorder the text around them, with which one name looks like another.
 */
const hidden = '\\0-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069'
const hasHidden = new RegExp(`[${hidden}]`, 'u')
/** Characters without a shape, such as joiners and direction marks. Names need them next to characters with one. */
const shapeless =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0'
const hasShape = new RegExp(`[^\\s${shapeless}]`, 'u')
const hiddenOrHalf = `${hidden}\\ud800-\\udfff`
/** The rules of `name` for JSON Schema: those of `text`, no hidden character, and one that has a shape. */
const visible = { pattern: `^[^${hiddenOrHalf}]*[^\\s${shapeless}${hiddenOrHalf}][^${hiddenOrHalf}]*$` }

const nameOf = (max: number) =>
  text(max)
    // Without the blanks around it.
    .trim()
    .min(1)
    .refine(
      given => !hasHidden.test(given),
      'must contain neither control characters nor characters that change its direction',
    )
    .refine(given => given === '' || hasShape.test(given), 'must contain a visible character')
    .meta(visible)

export const name = nameOf(maxLength.name)
/** An e-mail address can be a user name, so both have the same length. */
export const userName = nameOf(maxLength.userName)
export const url = text(maxLength.url)

/** Has at most 15 digits, as ITU-T E.164. No country code begins with 0. */
export const phoneNumber = z
  .string()
  .regex(/^(\+|00)[1-9]\d{6,14}$/, 'must be international: + or 00, then 7 to 15 digits, of which the first is not 0')

export const languageCode = z
  .string()
  .regex(/^[A-Za-z]{2}(-[A-Za-z]{2})?$/, 'must be two letters, optionally followed by a hyphen and two letters')

const countryCodeError = 'must be an assigned country code of ISO 3166-1 alpha-2 such as NL'

/** Officially assigned ISO 3166-1 alpha-2 codes, any casing; `UK` and `XK` are rejected. */
export const countryCode = z
  .string()
  .regex(/^[A-Za-z]{2}$/, { error: countryCodeError, abort: true })
  .refine(code => Object.hasOwn(assigned, code.toUpperCase()), countryCodeError)

/** A house number; a JSON number is converted to text. */
export const streetNo = z.union([z.number().transform(String), name])

/** One side of an item in centimetres, at least 1 (specification, Limits). The lockers set the maximum. */
const side = z.number().min(1)
export const dimension = z.object({ width: side, height: side, length: side }).meta({ id: 'Dimension' })

/** References and description of a shipment, in the casing of create operations. */
export const details = z
  .object({ ReferenceNo: reference, ReferenceCaseNo: reference, Description: description })
  .meta({ id: 'ShipmentDetails' })

const withDefault = (declared: z.ZodInt, value: number) =>
  declared
    .nullish()
    .meta({ default: value })
    .transform(given => given ?? value)

/** Page numbers start at 1. Null means the default, as in other optional fields. */
export const pageRequest = {
  pageNo: withDefault(z.int().min(1), 1),
  pageSize: withDefault(z.int().min(1).max(500), 50),
}
export const pageInfo = { pageNo: z.int(), pageSize: z.int(), totalItems: z.int(), totalPages: z.int() }

/** A time in UTC without the offset (specification, Shipment: stateStart). */
export const utcTime = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/)

let formatted = { moment: 0, text: '1970-01-01T00:00:00.000' }

/** Formats milliseconds since 1970 as such a time. One change has the same moment in its rows, callbacks and response. */
export function toUtcWithoutOffset(moment: number): string {
  if (moment !== formatted.moment) formatted = { moment, text: new Date(moment).toISOString().slice(0, -1) }
  return formatted.text
}

/** The condition of a rule between fields, which runs even if a field is invalid: the response then names every problem. */
export function isObjectBody({ value }: { readonly value: unknown }): boolean {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/**
 * Requires all of some fields if one of them is set. The issues name each missing field. Null and the empty text count
 * as missing.
 */
export function requireTogether<Request extends z.ZodObject>(
  request: Request,
  fields: readonly (keyof z.output<Request> & string)[],
): Request {
  return fields.reduce(
    (refined, field) =>
      refined.refine(values => !isAnySet(values) || (values[field] ?? '') !== '', {
        path: [field],
        message: `must be set when one of ${fields.join(', ')} is set`,
        // Runs even if other fields are invalid, so that the response names every problem, each once.
        when: ({ value, issues }) => isObjectBody({ value }) && !issues.some(({ path }) => path?.[0] === field),
      }),
    request,
  )

  function isAnySet(values: Record<string, unknown>): boolean {
    return fields.some(field => (values[field] ?? '') !== '')
  }
}

/** The state of a locker or a pick up point that does not work; null while it is in service. Other services lack the field. */
export const outOfService = z
  .object({
    /** Written by the operator. */
    reason: z.string(),
    since: utcTime,
  })
  .meta({ id: 'OutOfService' })
  .nullish()

/**
 * The name of a task queue. Temporal reserves those below /_sys/. A lone surrogate stops the worker process, since
 * Core cannot decode it.
 */
export const taskQueuePattern = /^(?!\/_sys\/)(?!\s)[^\p{Cc}\p{Cs}]{1,100}(?<!\s)$/u

/** The rule of `taskQueuePattern`, after the name of a field or a variable. */
export const mustBeTaskQueue =
  'must be at most 100 characters, without control characters, lone surrogates, or blanks at its ends, and not begin with "/_sys/"'
