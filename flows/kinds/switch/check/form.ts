import { z } from 'zod'
import { blockFields } from '../../../check/form/parts/blocks.ts'
import type { StepList } from '../../../check/form/parts/list.ts'
import { when } from '../../../check/form/parts/values.ts'

export const form = (steps: StepList) =>
  z
    .strictObject({
      ...blockFields,
      switch: z
        .array(
          z
            .strictObject({
              when: when.exactOptional().meta({ description: 'Absent: the case always holds.' }),
              steps,
            })
            .readonly(),
        )
        .min(1)
        .readonly()
        .meta({ description: 'Its cases. The first one that holds runs.' }),
    })
    .readonly()
    .meta({ id: 'Switch', description: 'Runs the first case that holds; none if none holds.' })
