// The wait for a booking while other work fills the backlog, with priorities and without. bench/main.ts imports this.
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Client, type WorkflowClientInterceptor } from '@temporalio/client'
import { createFlowClient, type FlowClient } from '#client'
import { priorities } from '#flows'
import { startSide } from '../flows/sides.ts'
import { startWorld, type World } from '../flows/world.ts'
import { median, pairs } from '../pairs.ts'
import type { Row } from '../row.ts'
import { bookingAt } from '../service/places.ts'

/** Measurements of each side, tasks of a backlog (at most the 200 lockers of a pick up point), and bookings that wait. */
const standard = { rounds: '5', flood: '190', probes: '5' }

/** The wait may not exceed this share of the wait without priorities. */
const bar = 0.5

interface Side {
  readonly client: Client
  readonly flows: FlowClient
}

/** Fills the backlog. Resolves when Temporal has accepted all of it. */
type Fill = (side: Side, at: number) => Promise<unknown>

/** Removes the priority from every start, as a client of an older version sends it. */
const withoutPriority: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => {
    const { priority: _, ...options } = input.options
    return next({ ...input, options })
  },
  startUpdateWithStart: (input, next) => {
    const { priority: _, ...workflowStartOptions } = input.workflowStartOptions
    return next({ ...input, workflowStartOptions })
  },
}

/** Runs both backlogs in sequence, since each needs the whole machine. */
export async function benchPriority(): Promise<Row[]> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: Object.fromEntries(
      Object.entries(standard).map(([name, value]) => [name, { type: 'string', default: value }]),
    ),
  } as const)
  const { rounds, flood, probes } = values as typeof standard
  const world = await startWorld()
  const { taskQueue, worker } = await startSide(world, 'ours')
  try {
    const { connection, options } = world.client
    const bare = new Client({ connection, namespace: options.namespace, interceptors: { workflow: [withoutPriority] } })
    const [ours, without] = [world.client, bare].map(client => ({
      client,
      flows: createFlowClient(client, { taskQueue }),
    }))
    if (ours === undefined || without === undefined) throw new Error('A side is missing.')
    let places = 0

    async function measure(side: Side, fill: Fill): Promise<number> {
      const at = places++
      await fill(side, at)
      const waits = await Promise.all(Array.from({ length: Number(probes) }, () => probe(side.flows, at + 1)))
      await untilEmpty(world, taskQueue)
      return median(waits)
    }

    const bookings: Fill = ({ flows }, at) => each(Number(flood), () => flows.start('stock', toInput(at)))
    const sweeps: Fill = ({ client }) => each(Number(flood), () => startSweep(client, taskQueue))
    const rows: Row[] = []
    for (const [what, fill] of [
      ['bookings at one other pick up point', bookings],
      ['sweeps', sweeps],
    ] as const) {
      const taken = await pairs(
        Number(rounds),
        () => measure(ours, fill),
        () => measure(without, fill),
      )
      rows.push({
        what: `wait for a booking behind ${flood} ${what}, with priorities and without`,
        unit: 'ms',
        ours: median(taken.ours),
        baseline: median(taken.baseline),
        ratio: taken.ratio,
        bar: `at most ${bar}`,
        met: taken.ratio <= bar,
      })
    }
    return rows
  } finally {
    await worker.stop()
    await world.stop()
  }
}

/** Milliseconds until a caller has its booking. */
async function probe(flows: FlowClient, at: number): Promise<number> {
  const began = performance.now()
  const { kind } = await flows.startAndWaitForBooking('stock', toInput(at), { timeout: 60_000 })
  if (kind !== 'Booked') throw new Error(`The booking ended as ${kind}.`)
  return performance.now() - began
}

function toInput(at: number) {
  return { caseNo: `P-${randomUUID()}`, request: bookingAt(at) }
}

function startSweep(client: Client, taskQueue: string) {
  const input = { act: 'list', olderThan: 0, caseNo: 'none' }
  const priority = { priorityKey: priorities.sweep }
  return client.workflow.start('sweep', { workflowId: `sweep-${randomUUID()}`, taskQueue, args: [input], priority })
}

async function each(times: number, work: () => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: times }, work))
}

/** Waits until every sweep has ended and every booking is made, so that the next measurement begins with an empty backlog. */
async function untilEmpty({ client }: World, taskQueue: string): Promise<void> {
  const open =
    "ExecutionStatus = 'Running' AND (WorkflowType = 'sweep' OR LockerflowState IS NULL OR LockerflowState = 'booking')"
  for (;;) {
    const { count } = await client.workflow.count(`TaskQueue = '${taskQueue}' AND ${open}`)
    if (count === 0) return
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}
