import { z } from 'zod'

/** Working hours of a day, in minutes since its beginning. */
export interface HourRange {
  readonly from: number
  readonly to: number
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

const mustBeRange = 'must be hours such as "09:00-17:30", within one day'
const mustBeDate = 'must be a date such as 2026-12-25'
const mustBeZone = 'must be a time zone such as Europe/Amsterdam'

const range = z
  .string(mustBeRange)
  .regex(/^([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$/, { error: mustBeRange, abort: true })
  .transform((text): HourRange => {
    const [from = '', to = ''] = text.split('-')
    return { from: toMinutes(from), to: toMinutes(to) }
  })
  .refine(({ from, to }) => from < to, 'must end after it begins; hours past midnight belong to the next day')

const ranges = z
  .array(range, 'must be a list of hours such as ["09:00-17:30"]; an empty one is a day off')
  .transform(list => list.toSorted((a, b) => a.from - b.from))
  .refine(
    list => list.every(({ from }, index) => from >= (list[index - 1]?.to ?? 0)),
    'must be hours that do not overlap',
  )

const hours = z
  .partialRecord(z.enum(weekdays, `must be one of ${weekdays.join(', ')}`), ranges)
  .meta({ description: 'The working hours of each weekday. A weekday that is not named is a day off.' })

const date = z.string().refine(text => /^\d{4}-\d\d-\d\d$/.test(text) && isDay(text), mustBeDate)

const dates = z.record(date, ranges).meta({
  description: 'The working hours of single dates, in place of those of the weekday. A holiday has an empty list.',
})

const zone = z.string(mustBeZone).refine(isTimeZone, mustBeZone)

const calendars = z.strictObject({
  timeZone: zone.exactOptional().meta({
    description: 'For flows without a pick up point, and for services that do not tell the time zone of theirs.',
  }),
  default: z
    .strictObject({ hours, dates: dates.exactOptional() })
    .meta({ description: 'The calendar of every pick up point that has none of its own.' }),
  pickUpPoints: z
    .record(z.string().min(1), z.strictObject({ hours: hours.exactOptional(), dates: dates.exactOptional() }))
    .exactOptional()
    .meta({
      description:
        'By the uid of the pick up point. `hours` replace those of `default`, `dates` are added to its dates.',
    }),
})

/** Reads and checks the value of a calendar file. */
export const calendarsSchema = calendars

const workday = ['09:00-17:00']

/**
 * The calendars of simulations, test cases and stacks of tests without a calendar file: weekdays from nine to five, without
 * holidays. A worker has no such default.
 */
export const testCalendars: Calendars = calendarsSchema.parse({
  default: { hours: { monday: workday, tuesday: workday, wednesday: workday, thursday: workday, friday: workday } },
  timeZone: 'UTC',
})

/** The JSON Schema of a calendar file, for editors. */
export function calendarsJsonSchema(): object {
  return { title: 'Calendars of lockerflow', ...z.toJSONSchema(calendars, { io: 'input' }) }
}

/** Working hours and holidays, by pick up point. */
export type Calendars = z.output<typeof calendars>

/** The working hours of one place: by weekday, 1 being Monday, and by date. */
export interface Calendar {
  readonly hours: ReadonlyMap<number, readonly HourRange[]>
  readonly dates: Readonly<Record<string, readonly HourRange[]>>
}

/** The calendar of a pick up point: its own hours and dates over those of `default`. */
export function calendarOf({ default: general, pickUpPoints = {} }: Calendars, pupUid: string | null): Calendar {
  const own = pupUid !== null && Object.hasOwn(pickUpPoints, pupUid) ? pickUpPoints[pupUid] : undefined
  const hours = own?.hours ?? general.hours
  return {
    hours: new Map(weekdays.map((weekday, index) => [index + 1, hours[weekday] ?? []])),
    dates: { ...general.dates, ...own?.dates },
  }
}

/** Minutes since midnight of a local time such as `09:00`. */
export function toMinutes(clock: string): number {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return hour * 60 + minute
}

function isDay(text: string): boolean {
  const instant = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text)
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
