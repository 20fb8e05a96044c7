import { z } from 'zod'
import { common, onError, onTimeout } from './common.ts'
import { window } from './points.ts'
import { limits, sentences } from './sentences.ts'

/** The fields of every block. */
export const blockFields = {
  ...common,
  window: window.exactOptional().meta({ description: 'A deadline over all of its steps. Absent or null: none.' }),
  onTimeout: onTimeout.exactOptional(),
  onError: onError
    .exactOptional()
    .meta({ description: 'The policy for a code that climbs out of it, after its steps are undone.' }),
}

export const until = z
  .union(
    [z.enum(['all', 'first']), z.strictObject({ atLeast: z.int().min(1).max(limits.items) }).readonly()],
    sentences.until,
  )
  .meta({ id: 'Until', description: 'How many end the block: all (default), the first one, or a number.' })
