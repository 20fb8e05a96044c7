import { z } from 'zod'
import { type BookingOperation, bookings } from '#flows'
import { common, onError, request } from '../../../check/form/parts/common.ts'
import { duration, name } from '../../../check/form/parts/values.ts'

export const form = z
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
