import { z } from 'zod'
import { common } from '../../../check/form/parts/common.ts'
import { point } from '../../../check/form/parts/points.ts'
import { sentences } from '../../../check/form/parts/sentences.ts'
import { duration } from '../../../check/form/parts/values.ts'

export const form = z
  .strictObject({
    ...common,
    sleep: z
      .union([duration, z.strictObject({ until: point }).readonly()], sentences.sleep)
      .meta({ description: 'The duration, or the point in time at which the step ends.' }),
  })
  .readonly()
  .meta({ id: 'Sleep', description: 'Waits for a duration, or until a point in time.' })
