/** Milliseconds since 1970 of an ISO 8601 time; one without an offset is in UTC. Undefined for an invalid time. */
export function readTime(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const time = Date.parse(/(Z|[+-]\d\d:\d\d)$/i.test(text) ? text : `${text}Z`)
  return Number.isNaN(time) ? undefined : time
}
