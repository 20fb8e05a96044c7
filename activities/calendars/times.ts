import { Temporal } from 'temporal-polyfill'
import type { Calendar, HourRange } from './shape.ts'

/** Maximum number of days off in a row. More are a mistake in the calendar. */
const maxDaysOff = 400

/** Days that a search covers: as many as the longest duration of a declaration. */
const maxDays = 3_660

/** Thrown if a calendar, a time zone or a local time has no result. The message begins with the field. */
export class CalendarError extends Error {}

/** @throws CalendarError for a name that Node does not know */
export function findTimeZone(name: string): string {
  try {
    return Temporal.Now.zonedDateTimeISO(name).timeZoneId
  } catch {
    throw new CalendarError(`timeZone: must be a time zone such as Europe/Amsterdam, got "${name}".`)
  }
}

/**
 * The first instant at which this much working time has passed.
 * @param from milliseconds since 1970
 * @param length milliseconds
 * @returns milliseconds since 1970
 * @throws CalendarError after 400 days without working hours, and after ten years
 */
export function addWorkingTime(calendar: Calendar, timeZone: string, from: number, length: number): number {
  let left = length
  let daysOff = 0
  for (const day of daysFrom(from, timeZone)) {
    const ranges = hoursOf(calendar, day)
    daysOff = ranges.length > 0 ? 0 : daysOff + 1
    if (daysOff >= maxDaysOff) throw noWorkingDay(day)
    for (const range of ranges) {
      const start = Math.max(from, toInstant(day, range.from, timeZone))
      const available = Math.max(0, toInstant(day, range.to, timeZone) - start)
      if (available >= left) return Math.max(from, start) + left
      left -= available
    }
  }
  throw new CalendarError('workingTime: must pass within ten years of the calendar.')
}

/**
 * The next instant after `from` at which local clocks show this time.
 * @param minutes since the beginning of the day
 * @param calendar takes only days with working hours; null takes every day
 * @returns milliseconds since 1970
 * @throws CalendarError after 400 days without working hours
 */
export function toNextTime(calendar: Calendar | null, timeZone: string, from: number, minutes: number): number {
  let daysOff = 0
  for (const day of daysFrom(from, timeZone)) {
    const isOff = calendar !== null && hoursOf(calendar, day).length === 0
    daysOff = isOff ? daysOff + 1 : 0
    if (daysOff >= maxDaysOff) throw noWorkingDay(day)
    const instant = isOff ? from : toInstant(day, minutes, timeZone)
    if (instant > from) return instant
  }
  throw new CalendarError('next: must come within ten years.')
}

function noWorkingDay(day: Temporal.PlainDate): CalendarError {
  return new CalendarError(
    `LOCKERFLOW_CALENDARS: must have a working day within ${maxDaysOff} days, but all days until ${day} are off.`,
  )
}

function* daysFrom(instant: number, timeZone: string): Generator<Temporal.PlainDate> {
  const first = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDate()
  for (let days = 0; days < maxDays; days++) yield first.add({ days })
}

function hoursOf({ hours, dates }: Calendar, day: Temporal.PlainDate): readonly HourRange[] {
  return dates[day.toString()] ?? hours.get(day.dayOfWeek) ?? []
}

/**
 * The instant of a local time, in milliseconds since 1970. A time that the clocks skip is the first instant after the gap,
 * and a time that they show twice is the earlier one.
 */
function toInstant(day: Temporal.PlainDate, minutes: number, timeZone: string): number {
  const hour = Math.floor(minutes / 60)
  // 24:00 is the beginning of the next day.
  const local = day.add({ days: Math.floor(hour / 24) }).toPlainDateTime({ hour: hour % 24, minute: minutes % 60 })
  const zoned = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
  if (zoned.toPlainDateTime().equals(local)) return zoned.epochMilliseconds
  // In a gap, `earlier` is before the gap.
  return (zoned.getTimeZoneTransition('next') ?? zoned).epochMilliseconds
}
