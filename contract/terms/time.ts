/** A length of time as people write it: `"30s"`, `"30m"`, `"48h"`, `"3d"`; `"200ms"` for tests. */
export type Duration = `${number}${Unit}`

type Unit = 'ms' | 's' | 'm' | 'h' | 'd'

const units: Readonly<Record<Unit, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
/** Ten years. Formatting a date beyond the calendar throws, and would fail every workflow task of the flow. */
const maxDuration = 3_650 * units.d
/** How far the clock of a test may be ahead, in milliseconds: a hundred years, which is ten of the longest durations. */
export const furthestClock = 36_500 * units.d
const pattern = /^(\d{1,9})(ms|s|m|h|d)$/

/** The end of an error sentence. */
export const mustBeDuration = 'must be a duration such as "30s", "30m", "48h" or "3d", at most "3650d"'

/** Milliseconds since 1970 of an ISO 8601 time; one without an offset is in UTC. Undefined for an invalid time. */
export function readTime(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const time = Date.parse(/(Z|[+-]\d\d:\d\d)$/i.test(text) ? text : `${text}Z`)
  return Number.isNaN(time) ? undefined : time
}

/** Milliseconds of a duration; undefined for an invalid text, for zero, and for more than ten years. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = pattern.exec(text) ?? []
  if (count === undefined || unit === undefined) return undefined
  const length = Number(count) * units[unit as Unit]
  return length > 0 && length <= maxDuration ? length : undefined
}
