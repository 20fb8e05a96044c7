import { setTimeout as sleep } from 'node:timers/promises'

export interface Pace {
  /** Starts per second. */
  readonly rate: number
  /** Tasks in flight. */
  readonly maxInFlight: number
  /** Milliseconds that tasks in flight have after an abort. */
  readonly drainTimeout: number
  readonly signal: AbortSignal
}

/**
 * Starts a task for each value at a steady rate, and waits for those in flight.
 * @param task returns false to start no further one; never rejects
 */
export async function inPace<Value>(
  values: readonly Value[],
  task: (value: Value) => Promise<boolean>,
  { rate, maxInFlight, drainTimeout, signal }: Pace,
): Promise<void> {
  const inFlight = new Set<Promise<void>>()
  const begin = performance.now()
  let goesOn = true
  for (const [index, value] of values.entries()) {
    const pause = begin + (index * 1_000) / rate - performance.now()
    if (pause > 0) await sleep(pause, undefined, { signal }).catch(() => undefined)
    while (inFlight.size >= maxInFlight) await Promise.race(inFlight)
    if (signal.aborted || !goesOn) break
    const running = task(value).then(result => {
      goesOn &&= result
      inFlight.delete(running)
    })
    inFlight.add(running)
  }
  const drained = Promise.all(inFlight)
  await (signal.aborted ? Promise.race([drained, sleep(drainTimeout, undefined, { ref: false })]) : drained)
}
