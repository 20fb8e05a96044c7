const date = /^\d{4}-\d\d-\d\d$/
const instant = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/** Milliseconds since 1970 of a field of type `instant` or `date` (00:00 UTC); undefined for anything else. */
export function readMoment(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  const day = (date.test(value) ? value : instant.exec(value)?.[1]) ?? ''
  const moment = Date.parse(value)
  // `Date.parse` accepts the 30th of February. An invalid date is null in JSON.
  const isDay = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day)
  return isDay && !Number.isNaN(moment) ? moment : undefined
}

/** True for `2026-11-21` and the like. */
export function isDate(value: string): boolean {
  return date.test(value) && readMoment(value) !== undefined
}
