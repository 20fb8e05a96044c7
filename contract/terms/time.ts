/** Milliseconds of a time without offset, in UTC; undefined when it is not one. */
export function momentOf(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const time = Date.parse(/(Z|[+-]\d\d:\d\d)$/i.test(text) ? text : `${text}Z`)
  return Number.isNaN(time) ? undefined : time
}
