import { randomUUID } from 'node:crypto'
import { followHistory } from './history.ts'
import { inParallel } from './inParallel.ts'
import type { Journey } from './journeys.ts'
import { secondsOfAll } from './processors.ts'
import type { Side } from './sides.ts'
import type { World } from './world.ts'

/** What came of some flows that were taken through to their end. */
export interface Turn {
  readonly perSecond: number
  /** Processor milliseconds of a flow: of the worker, and of everything there is; the latter not on every system. */
  readonly worker: number
  readonly all: number | undefined
  /** Milliseconds from the start until the caller knew the booking, of each flow. */
  readonly waits: readonly number[]
  /** Milliseconds from the start until the flow had ended, of each flow. */
  readonly lengths: readonly number[]
  /** Events in the history of each flow. */
  readonly events: readonly number[]
}

/**
 * Takes a flow through for each request: the caller waits for the booking, people open lockers, callbacks come, until
 * it has completed. People wait until the flow has dealt with what it was told, as they do in life, where hours lie
 * between two stages; otherwise two of them would be one to the flow.
 */
export async function take(
  world: World,
  { worker, start }: Side,
  journey: Journey,
  requests: readonly Record<string, unknown>[],
  concurrency: number,
): Promise<Turn> {
  const waits: number[] = []
  const lengths: number[] = []

  async function through(n: number): Promise<number> {
    const caseNo = `B-${randomUUID()}`
    const began = performance.now()
    const shipments = await start(journey, caseNo, requests[n] ?? {})
    waits.push(performance.now() - began)
    const shipmentOf = (wanted: string) => {
      const found = shipments.find(({ role }) => role === wanted)
      if (found === undefined) throw new Error(`${caseNo} has no shipment ${wanted}`)
      return found
    }
    const history = followHistory(world.client, caseNo)
    for (const { after, does, role } of journey.acts) {
      await history.untilTold(after.map(([told, stateCode]) => ({ ...shipmentOf(told), stateCode })))
      await world.people[does](shipmentOf(role))
    }
    const events = await history.untilCompleted()
    lengths.push(performance.now() - began)
    return events
  }

  const before = { worker: (await worker.run({ measure: 'processors' })).seconds, all: secondsOfAll() }
  const began = performance.now()
  const events = await inParallel(requests.length, concurrency, through)
  const seconds = (performance.now() - began) / 1_000
  const after = { worker: (await worker.run({ measure: 'processors' })).seconds, all: secondsOfAll() }
  const each = (used: number) => (used * 1_000) / requests.length
  return {
    perSecond: requests.length / seconds,
    worker: each(after.worker - before.worker),
    all: after.all === undefined || before.all === undefined ? undefined : each(after.all - before.all),
    waits,
    lengths,
    events,
  }
}
