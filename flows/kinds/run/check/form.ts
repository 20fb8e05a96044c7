import { z } from 'zod'
import { common, onError } from '../../../check/form/parts/common.ts'
import { sentences } from '../../../check/form/parts/sentences.ts'
import { duration, fields, key, queue, source, summary, text } from '../../../check/form/parts/values.ts'

/** Temporal counts attempts in 32 bits: it refuses the task of a flow that asks for more. */
const maxAttempts = 2 ** 31 - 1

const attempts = z.int(sentences.attempts).min(1, sentences.attempts).max(maxAttempts, sentences.attempts)

const retryPolicy = z
  .strictObject({
    initialInterval: duration.exactOptional(),
    maximumInterval: duration.exactOptional(),
    backoffCoefficient: z.number().min(1).max(10).exactOptional(),
    maximumAttempts: attempts.exactOptional(),
  })
  .readonly()

export const form = z
  .strictObject({
    ...common,
    run: key.meta({ description: 'The name of the activity.' }),
    with: source.meta({ description: 'Its first argument.' }),
    keep: fields.meta({ description: 'The fields of its result.' }),
    undo: z
      .union([key, z.strictObject({ leaves: summary, until: text.exactOptional() }).readonly()], sentences.undo)
      .meta({
        description:
          'An activity that undoes it, a left-over for a person (until a later step is complete), or nothing.',
      }),
    timeout: duration.meta({ description: 'Maximum duration of one attempt.' }),
    window: duration
      .exactOptional()
      .meta({ description: 'How long attempts are retried. Default: the timeout plus 1h.' }),
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
