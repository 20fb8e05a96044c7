/**
 * Limits how many traces a process begins (D-389): `perSecond` on average, and as many at once after a second without any.
 * @param now milliseconds of a clock that is never set back
 * @returns a function that returns whether one more may begin
 */
export function createTraceLimit(perSecond: number, now: () => number = () => performance.now()): () => boolean {
  let left = perSecond
  let at = now()
  return () => {
    const time = now()
    left = Math.min(perSecond, left + ((time - at) * perSecond) / 1_000)
    at = time
    if (left < 1) return false
    left--
    return true
  }
}
