/** A length of time as people write it: `"30s"`, `"30m"`, `"48h"`, `"3d"`; `"200ms"` for tests. */
export type Duration = `${number}${keyof typeof units}`

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const pattern = /^(\d{1,9})(ms|s|m|h|d)$/

/** Milliseconds of a duration; undefined when the text is not one, or is none at all. */
export function milliseconds(text: string): number | undefined {
  const [, count, unit] = pattern.exec(text) ?? []
  if (count === undefined || unit === undefined) return undefined
  const length = Number(count) * units[unit as keyof typeof units]
  return length > 0 ? length : undefined
}
