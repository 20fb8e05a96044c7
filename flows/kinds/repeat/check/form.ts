import { z } from 'zod'
import { blockFields } from '../../../check/form/parts/blocks.ts'
import type { StepList } from '../../../check/form/parts/list.ts'
import { points } from '../../../check/form/parts/points.ts'
import { limits, sentences } from '../../../check/form/parts/sentences.ts'
import { duration, when } from '../../../check/form/parts/values.ts'

export const form = (steps: StepList) =>
  z
    .strictObject({
      ...blockFields,
      repeat: z
        .strictObject({
          atMost: z
            .int(sentences.rounds)
            .min(1, sentences.rounds)
            .max(limits.rounds, sentences.rounds)
            .meta({ description: 'The highest number of rounds.' }),
          every: z
            .union([duration, points.workingTime, points.next], sentences.every)
            .exactOptional()
            .meta({ description: 'The time from the start of a round to that of the next. Absent: none.' }),
        })
        .readonly()
        .meta({ description: 'The highest number of rounds, and the time from one start to the next.' }),
      until: when.exactOptional().meta({ description: 'Read after each round. True ends the block.' }),
      steps,
    })
    .readonly()
    .meta({ id: 'Repeat', description: 'Repeats its steps.' })
