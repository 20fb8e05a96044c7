import { iso31661Alpha2ToNumeric as assigned } from 'iso-3166/1-a2-to-1-n.js'
import { z } from 'zod'

/** Lengths in characters (docs/decisions.md, String lengths). */
const longest = { uid: 64, reference: 100, description: 1_000, name: 100, email: 254, phone: 20, url: 2_000 } as const

/** Text of at most so many characters; NUL is one that not every store can keep. */
export const text = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[^\0]*$/, 'must not contain the character NUL')

export const uid = text(longest.uid).min(1)
export const reference = text(longest.reference).nullish()
export const description = text(longest.description).nullish()
/** Told in JSON Schema as well: not NUL, and not only blanks. */
const shown = { pattern: '^[^\\0]*[^\\s\\0][^\\0]*$' }
export const name = text(longest.name).trim().min(1).meta(shown)
export const emailAddress = z.email('has to be an e-mail address').max(longest.email)
export const url = text(longest.url)

export const phoneNumber = z
  .string()
  .max(longest.phone)
  .regex(/^(\+|00)\d+$/, 'has to be international: + or 00, then digits only')

export const languageCode = z
  .string()
  .regex(/^[A-Za-z]{2}(-[A-Za-z]{2})?$/, 'has to be two letters, or two letters, a hyphen and two letters')

const country = 'has to be an assigned country code of ISO 3166-1 alpha-2, for instance NL'

/** Any casing; a code that is only reserved, as UK, or left to users, as XK, is none. */
export const countryCode = z
  .string()
  .regex(/^[A-Za-z]{2}$/, { error: country, abort: true })
  .refine(code => Object.hasOwn(assigned, code.toUpperCase()), country)

/** A house number: a JSON number is accepted and kept as text. */
export const streetNo = z.union([text(longest.name), z.number().transform(String)])

/** One side of an item in centimetres, at least 1 (specification, Limits). */
const side = z.number().min(1).max(10_000)
export const dimension = z.object({ width: side, height: side, length: side })

/** The references and the text of a shipment, in a create operation's casing. */
export const details = z.object({ ReferenceNo: reference, ReferenceCaseNo: reference, Description: description })

/** Page numbers start at 1. */
export const page = { pageNo: z.int().min(1).default(1), pageSize: z.int().min(1).max(500).default(50) }
export const pageCount = { pageNo: z.int(), pageSize: z.int(), totalItems: z.int(), totalPages: z.int() }

/** A moment in UTC without the offset (specification, Shipment: stateStart). */
export const zonelessTime = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/)
