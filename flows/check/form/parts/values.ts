import { z } from 'zod'
import { taskQueuePattern } from '#contract'
import { type Duration, parseDuration } from '#contract/terms'
import type { ClockPoint, Field, Fields, Json, Path, Source, When } from '#flows/declaration'
import { limits, sentences } from './sentences.ts'

/** A schema whose type is narrower than what JSON Schema can say. */
const as = <Type>(schema: z.ZodType) => schema as unknown as z.ZodType<Type, Type>

const reservedNames = ['input', 'end', 'now']

/** A record by names would seem to have an entry for each of these. */
const inherited = Object.getOwnPropertyNames(Object.prototype)

export const flowName = z
  .string(sentences.flowName)
  .regex(/^[a-z][A-Za-z0-9]{0,99}$/, sentences.flowName)
  .refine(text => !inherited.includes(text), sentences.flowName)

function nameBut(reserved: readonly string[], sentence: string) {
  return z
    .string(sentence)
    .regex(/^[a-z][A-Za-z0-9]{0,99}$/, sentence)
    .refine(text => !reserved.includes(text) && !inherited.includes(text), sentence)
}

/** The name of a role or an answer. */
export const name = nameBut(reservedNames, sentences.name)

/** The name of a step. `done` is where `goTo` leads to the end of a list. */
export const stepName = nameBut([...reservedNames, 'done'], sentences.stepName)

/** The name of a field or an activity. */
export const key = z.string(sentences.key).regex(/^[A-Za-z][A-Za-z0-9_]{0,99}$/, sentences.key)

export const text = z.string(sentences.text).min(1, sentences.text)

/**
 * The name of a task queue. The published schema has another pattern, since the regular expressions of Python and Go
 * lack a part of this one. It cannot exclude lone surrogates.
 */
export const queue = text.regex(taskQueuePattern, sentences.queue).meta({
  pattern: String.raw`^[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]{0,98}[^\s\x00-\x1f\x7f-\x9f])?$`,
  not: { type: 'string', pattern: '^/_sys/' },
})

/** Temporal limits summaries in bytes. */
export const summary = text.refine(value => Buffer.byteLength(value) <= limits.summaryBytes, sentences.summary)

export const duration = as<Duration>(
  z
    .string(sentences.duration)
    .regex(/^\d{1,9}(ms|s|m|h|d)$/, { error: sentences.duration, abort: true })
    .refine(value => parseDuration(value) !== undefined, sentences.duration),
)

/** A duration of working time. A day of it would have no certain length. */
export const workingTime = as<Duration>(
  z
    .string(sentences.workingTime)
    .regex(/^\d{1,9}(ms|s|m|h)$/, { error: sentences.workingTime, abort: true })
    .refine(value => parseDuration(value) !== undefined, sentences.workingTimeLimit),
)

/** A local time. */
export const clock = as<ClockPoint['next']>(
  z.string(sentences.clock).regex(/^([01]\d|2[0-3]):[0-5]\d$/, sentences.clock),
)

const pathPattern = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/

export const path = as<Path>(z.string(sentences.path).regex(pathPattern, sentences.path))

export const json = z.json().meta({ id: 'Json' }) as unknown as z.ZodType<Json, Json>

export const fields: z.ZodType<Fields, Fields> = z
  .lazy(() => z.record(key, field, { error: ({ code }) => (code === 'invalid_type' ? sentences.fields : undefined) }))
  .meta({ id: 'Fields' })

export const field: z.ZodType<Field, Field> = z
  .lazy(() =>
    z.union(
      [
        z.enum(['text', 'number', 'integer', 'boolean', 'instant', 'date', 'uid']),
        z.array(text).min(1).readonly(),
        z.strictObject({ list: field }).readonly(),
        z.strictObject({ fields }).readonly(),
        z.strictObject({ optional: field }).readonly(),
      ],
      sentences.field,
    ),
  )
  .meta({ id: 'Field' })

/** Keys that stand for something other than a field of an object. */
const isPlain = (value: object) => !['from', 'value', 'merge'].some(word => Object.hasOwn(value, word))

export const source: z.ZodType<Source, Source> = z
  .lazy(() =>
    z.union(
      [
        z.string(),
        z.number(),
        z.boolean(),
        z.null(),
        z.strictObject({ from: path, or: json.exactOptional() }).readonly(),
        z.strictObject({ value: json }).readonly(),
        z.strictObject({ merge: z.array(source).min(1).readonly() }).readonly(),
        z.array(source).readonly(),
        z.record(z.string(), source).refine(isPlain, sentences.source).readonly(),
      ],
      sentences.source,
    ),
  )
  .meta({ id: 'Source' })

const comparison = z
  .union(
    [
      z.string(),
      z.number(),
      z.boolean(),
      z.null(),
      z.strictObject({ is: source }).readonly(),
      z.strictObject({ not: source }).readonly(),
      z.strictObject({ in: z.array(json).min(1).readonly() }).readonly(),
      z.strictObject({ present: z.boolean() }).readonly(),
      z.strictObject({ lessThan: source }).readonly(),
      z.strictObject({ moreThan: source }).readonly(),
      z.strictObject({ atMost: source }).readonly(),
      z.strictObject({ atLeast: source }).readonly(),
      z.strictObject({ contains: source }).readonly(),
    ],
    sentences.condition,
  )
  .meta({ id: 'Comparison' })

export const when: z.ZodType<When, When> = z
  .lazy(() =>
    z.union(
      [
        z.strictObject({ any: z.array(when).min(1).readonly() }).readonly(),
        z.strictObject({ all: z.array(when).min(1).readonly() }).readonly(),
        z.strictObject({ not: when }).readonly(),
        z.record(path, comparison).readonly(),
      ],
      sentences.when,
    ),
  )
  .meta({ id: 'When' }) as unknown as z.ZodType<When, When>
