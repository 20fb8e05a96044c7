import { z } from 'zod'
import { common, isNotEmpty, onTimeout } from '../../../check/form/parts/common.ts'
import { window } from '../../../check/form/parts/points.ts'
import { limits, sentences } from '../../../check/form/parts/sentences.ts'
import { fields, name, text } from '../../../check/form/parts/values.ts'

export const form = z
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
