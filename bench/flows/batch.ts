import { randomUUID } from 'node:crypto'
import { type AnswerUpdate, toWorkflowId } from '#flows'
import { answer } from '#flows/messages'
import { processorSeconds } from '../processors.ts'
import { followHistory } from './history.ts'
import type { Journey } from './journeys.ts'
import type { Side } from './sides.ts'
import type { World } from './world.ts'

/** The measurements of some flows that ran to their end. */
export interface Batch {
  readonly perSecond: number
  /** Processor milliseconds of the worker per flow. */
  readonly worker: number
  /** Processor milliseconds of Temporal's server with its store, per flow; zero if the system does not report it. */
  readonly temporal: number
  /** Processor milliseconds of all processes per flow, if the system reports them. */
  readonly all: number | undefined
  /** Milliseconds of each flow from its start until the caller had the booking. */
  readonly waits: readonly number[]
  /** Milliseconds of each flow from its start to its end. */
  readonly lengths: readonly number[]
  /** Events in the history of each flow. */
  readonly events: readonly number[]
}

/**
 * Runs a flow for each request to its end: the caller waits for the booking, people open lockers, callbacks arrive.
 * People wait until the flow has handled the callbacks so far. In production hours lie between two stages; without the
 * wait two stages would fall into one workflow task.
 */
export async function runBatch(
  world: World,
  { worker, start }: Side,
  journey: Journey,
  requests: readonly Record<string, unknown>[],
  concurrency: number,
): Promise<Batch> {
  const waits: number[] = []
  const lengths: number[] = []

  async function runFlow(n: number): Promise<number> {
    const caseNo = `B-${randomUUID()}`
    const began = performance.now()
    const shipments = await start(journey, caseNo, requests[n] ?? {})
    waits.push(performance.now() - began)
    const requireShipment = (name: string) => {
      const shipment = shipments.find(({ role }) => role === name)
      if (shipment === undefined) throw new Error(`${caseNo} has no shipment ${name}`)
      return shipment
    }
    const history = followHistory(world.client, caseNo)
    for (const act of journey.acts) {
      if ('answers' in act) {
        await history.untilDone(act.afterActivity)
        const args: [AnswerUpdate] = [{ ...act.answers, fields: {} }]
        await world.client.workflow.getHandle(toWorkflowId(caseNo)).executeUpdate(answer, { args })
        continue
      }
      await history.untilHandled(act.after.map(([role, stateCode]) => ({ ...requireShipment(role), stateCode })))
      await world.people[act.does](requireShipment(act.role))
    }
    const events = await history.untilCompleted()
    lengths.push(performance.now() - began)
    return events
  }

  const readUsed = async () => ({
    worker: (await worker.run({ measure: 'processors' })).seconds,
    temporal: world.temporalSeconds(),
    all: processorSeconds(),
  })
  const before = await readUsed()
  const began = performance.now()
  const events = await inParallel(requests.length, concurrency, runFlow)
  const seconds = (performance.now() - began) / 1_000
  const after = await readUsed()
  const each = (used: number) => (used * 1_000) / requests.length
  return {
    perSecond: requests.length / seconds,
    worker: each(after.worker - before.worker),
    temporal: each(after.temporal - before.temporal),
    all: after.all === undefined || before.all === undefined ? undefined : each(after.all - before.all),
    waits,
    lengths,
    events,
  }
}

/** Calls `work` with 0 to `times` - 1, with at most `concurrency` running calls. Returns the results in that order. */
export async function inParallel<Result>(
  times: number,
  concurrency: number,
  work: (n: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  async function caller(): Promise<void> {
    while (next < times) {
      const n = next++
      results[n] = await work(n)
    }
  }
  await Promise.all(Array.from({ length: Math.min(times, concurrency) }, caller))
  return results
}
