import { z } from 'zod'
import { stateCodes } from '#contract/terms'
import { common, isNotEmpty, onTimeout } from '../../../check/form/parts/common.ts'
import { window } from '../../../check/form/parts/points.ts'
import { sentences } from '../../../check/form/parts/sentences.ts'
import { name } from '../../../check/form/parts/values.ts'

export const form = z
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
    keep: z.array(name).readonly().exactOptional().meta({ description: 'Roles that clean-up does not cancel.' }),
  })
  .readonly()
  .meta({ id: 'Wait', description: 'Waits until shipments have reached states.' })
