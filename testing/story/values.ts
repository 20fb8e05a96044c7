import { z } from 'zod'
import { operations } from '#contract'
import { type Duration, mustBeDuration, parseDuration } from '#contract/terms'
import type { Json } from '#flows/declaration'

/** The sentences of the schema, without a full stop. */
export const sentences = {
  text: 'must be a text that is not empty',
  name: 'must be a lower-case letter, then at most 99 letters and digits',
  role: 'must be the name of a role, in a loop with its item or round: issue[A-1]',
  count: 'must be a number from 1',
  user: 'must be { $user } with a number from 1',
  moment: 'must be a time such as "2027-03-01T12:00:00Z", or { $in } with a duration',
  fault: 'must be "unavailable", "requestLost" or "responseLost"',
  cause: 'must have exactly one of code and fault',
  by: 'must be given with the decision extend only',
  target: 'must name exactly one of book, call and run',
  word: 'must be one of the words of a story',
  request: 'must be an object',
} as const

export const text = z.string(sentences.text).min(1, sentences.text)

export const name = z.string(sentences.name).regex(/^[a-z][A-Za-z0-9]{0,99}$/, sentences.name)

/** In the item of a list or an earlier round: `issue[A-1]` or `issue#1`. */
export const roleName = z
  .string(sentences.role)
  .regex(/^[a-z][A-Za-z0-9]{0,99}(\[[^\]]{1,200}\]|#\d+)*$/, sentences.role)

export const duration = z
  .string(mustBeDuration)
  .regex(/^\d{1,9}(ms|s|m|h|d)$/, { error: mustBeDuration, abort: true })
  .refine(value => parseDuration(value) !== undefined, mustBeDuration) as unknown as z.ZodType<Duration, Duration>

export const count = z.int(sentences.count).min(1, sentences.count).max(1_000, sentences.count)

export const json = z.json().meta({ id: 'Json' }) as unknown as z.ZodType<Json, Json>

/** A user of the pick up point. Each number is one account. */
export const user = z
  .strictObject({ $user: count }, sentences.user)
  .readonly()
  .meta({ id: 'User', description: 'The user with this number. A case creates the accounts of its users.' })

/** A moment, or a time after the start of the case. */
export const moment = z
  .union(
    [z.iso.datetime({ offset: true, error: sentences.moment }), z.strictObject({ $in: duration }).readonly()],
    sentences.moment,
  )
  .meta({ id: 'Moment', description: 'A moment in time, or a time after the start of the case.' })

/** The objects that stand for a value in a request, an answer, a result or an output, by their key. */
export const placeholders = {
  $user: count.meta({ description: 'The uid of the user with this number.' }),
  $pup: count.meta({ description: 'The uid of the pick up point with this number.' }),
  $in: duration.meta({ description: 'The moment this long after the start of the case.' }),
  $item: name.meta({ description: 'The uid of the shipment that `before` describes under this name.' }),
  $example: z.enum(Object.keys(operations) as [string, ...string[]]).meta({
    description: 'The example request of this operation. The fields beside it replace fields of the example.',
  }),
} as const

export type Placeholder = keyof typeof placeholders
