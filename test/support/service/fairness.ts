import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'

/** Response times of one tenant in milliseconds, alone and while another tenant sends requests. */
export interface Fairness {
  readonly quietP99: number
  readonly busyP99: number
  /** The number of calls that were measured in each phase. */
  readonly calls: number
}

export interface FairnessOptions {
  /** One call of the tenant that is measured. A rejection ends the measurement with that error. */
  readonly quiet: () => Promise<unknown>
  /** Makes the state that the load needs, between the two phases, so that its own cost is not measured. */
  readonly prepare?: () => Promise<unknown>
  /** The load of the other tenant, from its call until the signal aborts. `repeatUntil` makes one of a single call. */
  readonly worst: (signal: AbortSignal) => Promise<void>
  /** Length of each of the two phases. */
  readonly seconds: number
}

/** Milliseconds between two calls. */
const interval = 20

/**
 * Measures the calls of one tenant alone, then the same calls while the other tenant does its worst. Calls start at a
 * fixed rate, so a standstill counts for each call that it delays and not for one only.
 * @throws the error of a call or of the load; Error when the load ended before the measurement did
 */
async function measureQuietAndBusy({ quiet, prepare, worst, seconds }: FairnessOptions): Promise<Fairness> {
  // The first calls fill caches and open connections.
  await measureCalls(quiet, seconds / 10)
  const alone = await measureCalls(quiet, seconds)
  await prepare?.()
  const controller = new AbortController()
  const load = worst(controller.signal).then(() => {
    if (!controller.signal.aborted) throw new Error('the load ended before the measurement did')
  })
  const ended = Promise.withResolvers<never>()
  load.catch(ended.reject)
  try {
    const beside = await Promise.race([measureCalls(quiet, seconds), ended.promise])
    return { quietP99: percentile(alone, 0.99), busyP99: percentile(beside, 0.99), calls: beside.length }
  } finally {
    controller.abort()
    await load.catch(() => undefined)
  }
}

export interface FairShareOptions extends FairnessOptions {
  /** Milliseconds that are fair in any case. */
  readonly floor?: number
}

/** How often a measurement is repeated: noise of the machine passes, a standstill returns. */
const maxMeasurements = 3

/** Asserts that the other tenant's load leaves p99 below three times the quiet one, or below the floor. */
export async function expectFairShare({ floor = 100, ...options }: FairShareOptions): Promise<Fairness> {
  for (let measurements = 1; ; measurements++) {
    const fairness = await measureQuietAndBusy(options)
    const limit = Math.max(3 * fairness.quietP99, floor)
    if (fairness.busyP99 >= limit && measurements < maxMeasurements) continue
    expect(fairness.busyP99, `p99 of ${fairness.calls} calls, quiet ${fairness.quietP99} ms`).toBeLessThan(limit)
    return fairness
  }
}

/** Repeats `work` in `concurrency` loops until the signal aborts. A rejection ends all loops with that error. */
export async function repeatUntil(
  signal: AbortSignal,
  concurrency: number,
  work: () => Promise<unknown>,
): Promise<void> {
  async function loop(): Promise<void> {
    while (!signal.aborted) await work()
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
}

/** Starts a call every 20 ms. Returns their durations since the moment at which each was due, in milliseconds. */
export async function measureCalls(call: () => Promise<unknown>, seconds: number): Promise<number[]> {
  const startedAt = performance.now()
  const running: Promise<number>[] = []
  for (let index = 0; index < Math.ceil((seconds * 1_000) / interval); index++) {
    const dueAt = startedAt + index * interval
    await delay(Math.max(0, dueAt - performance.now()))
    const ended = call().then(() => performance.now() - dueAt)
    // Awaited below; until then a rejection must not count as unhandled.
    ended.catch(() => undefined)
    running.push(ended)
  }
  return Promise.all(running)
}

/** @param part of the durations that are shorter: 0.99 is p99 */
export function percentile(durations: readonly number[], part: number): number {
  const sorted = durations.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.ceil(sorted.length * part) - 1] ?? 0) * 10) / 10
}
