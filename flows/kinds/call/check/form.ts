import { z } from 'zod'
import { common, onError, request } from '../../../check/form/parts/common.ts'
import { duration, key, text } from '../../../check/form/parts/values.ts'

export const form = z
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
