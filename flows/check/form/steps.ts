import { z } from 'zod'
import { stateCodes } from '#contract/terms'
import { type BookingOperation, bookings } from '#flows'
import { point, window } from './points.ts'
import { limits, sentences } from './sentences.ts'
import { duration, fields, key, name, queue, source, summary, text, when } from './values.ts'

const goTo = z
  .strictObject({ goTo: text })
  .readonly()
  .meta({ id: 'GoTo', description: 'Leads to a later step, or to `end`.' })

const onTimeout = z
  .union([z.enum(['remind', 'ask', 'cancel']), goTo], sentences.onTimeout)
  .meta({ id: 'OnTimeout', description: 'The policy for a passed window.' })

const onError = z
  .record(key, z.union([z.enum(['continue', 'fail']), goTo], sentences.onError))
  .readonly()
  .meta({ id: 'OnError', description: 'The policy for an error, by its code. Absent: the flow fails.' })

const common = {
  name: name.meta({ description: 'Unique in the flow, except for steps whose conditions exclude each other.' }),
  summary: summary.meta({ description: 'Shown in the Web UI: the action that the flow waits for.' }),
  when: when.exactOptional().meta({ description: 'The step is left out if this is false.' }),
  leaves: summary.exactOptional().meta({
    description:
      'A left-over for a person, if the flow is cancelled, expires or fails after this step, or during this step after work with an unknown outcome.',
  }),
}

const request = source
  .exactOptional()
  .meta({ description: "Absent: the flow's input, for the first step that books or calls." })

const isNotEmpty = (value: object) => Object.keys(value).length > 0

const book = z
  .strictObject({
    ...common,
    book: z
      .enum(Object.keys(bookings) as [BookingOperation, ...BookingOperation[]])
      .meta({ description: 'The create operation.' }),
    request,
    as: z.record(name, name).readonly().exactOptional().meta({ description: 'Other names for roles.' }),
    window: duration.exactOptional().meta({ description: 'How long faults are retried. Default 1h, at most 12h.' }),
    onError: onError.exactOptional(),
  })
  .readonly()
  .meta({ id: 'Book', description: 'Books shipments with one create operation.' })

const wait = z
  .strictObject({
    ...common,
    wait: z
      .record(name, z.enum(stateCodes, `must be one of ${stateCodes.join(', ')}`))
      .refine(isNotEmpty, sentences.wait)
      .readonly()
      .meta({ description: 'The state that each role must have reached: this one, or one that can only follow it.' }),
    window,
    onTimeout: onTimeout.exactOptional(),
    onLockerOutOfService: z.enum(['remind', 'ask', 'cancel']).exactOptional().meta({
      description: 'The policy when a locker of the flow goes out of service. Default: remind.',
    }),
    completedBy: z
      .strictObject({ update: z.enum(['assignReceiver', 'release']), role: name })
      .readonly()
      .exactOptional()
      .meta({ description: 'An update that completes the step, and the role of its shipment.' }),
    keep: z.array(name).readonly().exactOptional().meta({ description: 'Roles that clean-up does not cancel.' }),
  })
  .readonly()
  .meta({ id: 'Wait', description: 'Waits until shipments have reached states.' })

const ask = z
  .strictObject({
    ...common,
    ask: z
      .record(name, fields)
      .refine(isNotEmpty, sentences.answers)
      .refine(answers => Object.keys(answers).length <= limits.answers, sentences.answers)
      .readonly()
      .meta({ description: 'The answers that are allowed, with the fields of each.' }),
    who: text.meta({ description: 'The person or service that answers.' }),
    window,
    onTimeout: onTimeout.exactOptional(),
  })
  .readonly()
  .meta({ id: 'Ask', description: 'A person or another program answers with the update `answer`.' })

const call = z
  .strictObject({
    ...common,
    call: text.meta({ description: 'The operation.' }),
    request,
    keep: z
      .array(key)
      .readonly()
      .exactOptional()
      .meta({ description: 'Fields of the response that become outputs; absent: all of them.' }),
    window: duration.exactOptional().meta({ description: 'How long faults are retried. Default 1h.' }),
    onError: onError.exactOptional(),
  })
  .readonly()
  .meta({ id: 'Call', description: 'Calls one operation that books nothing.' })

/** Temporal counts attempts in 32 bits: it refuses the task of a flow that asks for more. */
const mostAttempts = 2 ** 31 - 1

const attempts = z.int(sentences.attempts).min(1, sentences.attempts).max(mostAttempts, sentences.attempts)

const retryPolicy = z
  .strictObject({
    initialInterval: duration.exactOptional(),
    maximumInterval: duration.exactOptional(),
    backoffCoefficient: z.number().min(1).max(10).exactOptional(),
    maximumAttempts: attempts.exactOptional(),
  })
  .readonly()

const run = z
  .strictObject({
    ...common,
    run: key.meta({ description: 'The name of the activity.' }),
    with: source.meta({ description: 'Its first argument.' }),
    keep: fields.meta({ description: 'The fields of its result.' }),
    undo: z
      .union([key, z.strictObject({ leaves: summary }).readonly()], sentences.undo)
      .meta({ description: 'An activity that undoes it, a left-over for a person, or nothing.' }),
    timeout: duration.meta({ description: 'Maximum duration of one attempt.' }),
    window: duration
      .exactOptional()
      .meta({ description: 'How long attempts are repeated. Default: the timeout plus 1h.' }),
    heartbeat: duration.exactOptional().meta({ description: 'Maximum time between two heartbeats of an attempt.' }),
    retry: z
      .union([z.enum(['standard', 'once']), retryPolicy], sentences.retry)
      .exactOptional()
      .meta({
        description:
          'standard, the default: after 250 ms, doubling up to 30 s. once: a single attempt. An object changes parts of standard.',
      }),
    taskQueue: queue.exactOptional().meta({ description: 'Default: the queue of the flows.' }),
    onError: onError.exactOptional(),
  })
  .readonly()
  .meta({ id: 'Run', description: "Runs one of the team's own activities." })

const sleep = z
  .strictObject({
    ...common,
    sleep: z
      .union([duration, z.strictObject({ until: point }).readonly()], sentences.sleep)
      .meta({ description: 'The duration, or the point in time at which the step ends.' }),
  })
  .readonly()
  .meta({ id: 'Sleep', description: 'Waits for a time, or until a point in time.' })

/** The schema of each kind of step, in the order of the union. */
export const kinds = { book, wait, ask, call, run, sleep } as const

export const step = z.union([book, wait, ask, call, run, sleep], sentences.step)

/** The fields of a kind. */
export function fieldNames(kind: keyof typeof kinds): string[] {
  return Object.keys(kinds[kind].unwrap().shape)
}
