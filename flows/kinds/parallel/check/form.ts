import { z } from 'zod'
import { blockFields, until } from '../../../check/form/parts/blocks.ts'
import type { StepList } from '../../../check/form/parts/list.ts'
import { limits, sentences } from '../../../check/form/parts/sentences.ts'
import { name } from '../../../check/form/parts/values.ts'

export const form = (steps: StepList) =>
  z
    .strictObject({
      ...blockFields,
      parallel: z
        .array(z.strictObject({ name: name.meta({ description: 'Unique in the block.' }), steps }).readonly())
        .min(2, sentences.branches)
        .max(limits.branches, sentences.branches)
        .readonly()
        .meta({ description: 'Its branches, which begin together.' }),
      until: until.exactOptional(),
    })
    .readonly()
    .meta({
      id: 'Parallel',
      description: 'Runs branches beside each other. Those that it does not wait for are undone.',
    })
