/** A length of time as people write it: `"30s"`, `"30m"`, `"48h"`, `"3d"`; `"200ms"` for tests. */
export type Duration = `${number}${keyof typeof units}`

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
/** Ten years. A date that no calendar has would stop every task of the flow that shows it. */
const longest = 3_650 * units.d
const pattern = /^(\d{1,9})(ms|s|m|h|d)$/

/** Milliseconds of a duration; undefined when the text is not one, is none at all, or is more than ten years. */
export function milliseconds(text: string): number | undefined {
  const [, count, unit] = pattern.exec(text) ?? []
  if (count === undefined || unit === undefined) return undefined
  const length = Number(count) * units[unit as keyof typeof units]
  return length > 0 && length <= longest ? length : undefined
}
