import { z } from 'zod'
import { sentences } from './sentences.ts'
import { clock, duration, path, workingTime } from './values.ts'

const fieldPoint = z
  .strictObject({
    at: path.meta({ description: 'The path of the field, for example `input.neededBy`.' }),
    before: duration.exactOptional().meta({ description: 'The step ends this long before the field.' }),
    after: duration.exactOptional().meta({ description: 'The step ends this long after the field.' }),
  })
  .refine(({ before, after }) => before === undefined || after === undefined, sentences.offset)
  .readonly()
  .meta({
    id: 'FieldPoint',
    description: 'A point in time in a field of the input or of an output, or a time before or after it.',
  })

const from = path
  .exactOptional()
  .meta({ description: 'A point in time in a field from which it counts. Default: the start of the step.' })

const workingTimePoint = z
  .strictObject({
    workingTime: workingTime.meta({ description: 'Working hours, minutes or seconds, such as `16h`.' }),
    from,
  })
  .readonly()
  .meta({
    id: 'WorkingTimePoint',
    description: 'The point in time at which this much working time has passed, by the calendar of the pick up point.',
  })

const clockPoint = z
  .strictObject({
    next: clock.meta({ description: 'A local time at the pick up point, such as `09:00`.' }),
    workingDay: z.literal(true).exactOptional().meta({ description: 'Only on a day with working hours.' }),
    from,
  })
  .readonly()
  .meta({
    id: 'ClockPoint',
    description: 'The next point in time at which the clocks at the pick up point show a time.',
  })

/** The variants of a point in time, by the key that only they have. */
export const points = { at: fieldPoint, workingTime: workingTimePoint, next: clockPoint } as const

export const point = z
  .union([fieldPoint, workingTimePoint, clockPoint], sentences.point)
  .meta({ id: 'PointInTime', description: 'The point in time at which a step ends.' })

export const window = z
  .union([duration, point, z.null()], sentences.window)
  .meta({ id: 'Window', description: 'The length of a wait, the point in time of its end, or null for no end.' })
