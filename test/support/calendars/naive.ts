import type { Calendar, HourRange } from '#activities/calendars'

const minute = 60_000
/** Clocks change at full quarters of an hour only, so the offset is read once for each. */
const quarter = 15 * minute

interface Tick {
  readonly instant: number
  readonly ranges: readonly HourRange[]
  /** The latest local time of the day so far: a clock that was turned back does not open or close again. */
  readonly reached: number
  /** The value of `reached` a minute earlier; undefined at the first minute of a day. */
  readonly before: number | undefined
}

/** Counts the minutes in which a place works, one by one. */
export function naiveCount(calendar: Calendar, place: string, from: number, length: number): number {
  let count = 0
  for (const { instant, ranges, reached } of ticks(calendar, place, from)) {
    if (instant < from || !ranges.some(range => reached >= range.from && reached < range.to)) continue
    if (++count === length) return instant + minute
  }
  throw new Error('no end')
}

/** The first minute after `from` in which a local clock reaches a time. */
export function naiveNext(calendar: Calendar | null, place: string, from: number, clock: number): number {
  for (const { instant, ranges, reached, before } of ticks(calendar, place, from)) {
    if (instant <= from || (calendar !== null && ranges.length === 0)) continue
    if (reached >= clock && (before === undefined || before < clock)) return instant
  }
  throw new Error('no end')
}

function* ticks(calendar: Calendar | null, place: string, from: number): Generator<Tick> {
  const offsetAt = offsets(place)
  let day = ''
  let reached = -1
  // Begins on the day before, so that the day of `from` is seen from its start.
  for (let instant = from - 26 * 60 * minute; instant < from + 60 * 86_400_000; instant += minute) {
    const local = new Date(instant + offsetAt(instant))
    const date = local.toISOString().slice(0, 10)
    const wall = local.getUTCHours() * 60 + local.getUTCMinutes()
    const before = date === day ? reached : undefined
    reached = date === day ? Math.max(reached, wall) : wall
    day = date
    const ranges = calendar?.dates[date] ?? calendar?.hours.get(local.getUTCDay() || 7) ?? []
    yield { instant, ranges, reached, before }
  }
}

function offsets(timeZone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  })
  const known = new Map<number, number>()
  return instant => {
    const start = Math.floor(instant / quarter) * quarter
    const offset = known.get(start) ?? read(format, start)
    known.set(start, offset)
    return offset
  }
}

function read(format: Intl.DateTimeFormat, instant: number): number {
  const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute) - instant
}
