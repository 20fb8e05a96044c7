import { randomUUID } from 'node:crypto'
import { createFlowClient } from '#client'
import { toWorkflowId } from '#flows'
import { median } from '../pairs.ts'
import type { Row } from '../row.ts'
import { branchNames } from './bare/bookings.ts'
import { inParallel } from './batch.ts'
import { threeBranches } from './branchFlow.ts'
import { followHistory } from './history.ts'
import type { Options } from './options.ts'
import { type Side, startSide } from './sides.ts'
import type { World } from './world.ts'

/** `plain`: one workflow with `Promise.all`; `children`: a child workflow for each branch. */
const kinds = ['ours', 'plain', 'children'] as const
type Kind = (typeof kinds)[number]

const minRate = 0.85

interface Measured {
  readonly perSecond: number
  /** Processor milliseconds of the worker per flow. */
  readonly worker: number
  /** Events of each flow, those of its children included. */
  readonly events: readonly number[]
}

/** Measures a flow of three branches, alternating with two that are written by hand. */
export async function benchBranches(world: World, { rounds, flows, concurrency }: Options): Promise<Row[]> {
  const sides: Record<Kind, Side> = {
    ours: await startSide(world, 'ours'),
    plain: await startSide(world, 'baseline'),
    children: await startSide(world, 'baseline'),
  }
  const measured: Record<Kind, Measured[]> = { ours: [], plain: [], children: [] }
  try {
    for (const kind of kinds) await runBatch(world, sides[kind], kind, Math.ceil(flows / 2), concurrency)
    for (let round = 0; round < rounds; round++) {
      for (const kind of round % 2 === 0 ? kinds : kinds.toReversed())
        measured[kind].push(await runBatch(world, sides[kind], kind, flows, concurrency))
    }
  } finally {
    await Promise.all(kinds.map(kind => sides[kind].worker.stop()))
  }
  return toRows(measured, concurrency)
}

async function runBatch(world: World, side: Side, kind: Kind, flows: number, concurrency: number): Promise<Measured> {
  const seconds = async () => (await side.worker.run({ measure: 'processors' })).seconds
  const [before, began] = [await seconds(), performance.now()]
  const events = await inParallel(flows, concurrency, () => runFlow(world, side, kind))
  const perSecond = (flows * 1_000) / (performance.now() - began)
  return { perSecond, worker: ((await seconds()) - before) * (1_000 / flows), events }
}

/** Runs a flow to its end, and returns its number of events. People wait until it has handled the callbacks so far. */
async function runFlow(world: World, { taskQueue }: Side, kind: Kind): Promise<number> {
  const { client } = world
  const caseNo = `P-${randomUUID().slice(0, 18)}`
  const request = { PupUid: world.nextParcel().PupUid, ToUserUid: world.userUid }
  if (kind === 'ours') {
    const flowClient = createFlowClient(client, { taskQueue, flows: [threeBranches] })
    const started = await flowClient.start('threeBranches', {
      caseNo,
      request,
    })
    if (started.kind !== 'Started') throw new Error(JSON.stringify(started))
  } else {
    const input = { ...world.nextParcel(), ...request, Details: { ReferenceCaseNo: caseNo } }
    const options = { taskQueue, workflowId: toWorkflowId(caseNo), args: [{ caseNo, request: input }] }
    await client.workflow.start(kind === 'plain' ? 'threeBranches' : 'threeChildren', options)
  }
  if (kind !== 'children') return runBooked(world, caseNo, branchNames.length)
  const parent = followHistory(client, caseNo)
  await parent.untilStarted(branchNames.length)
  const events = await Promise.all(branchNames.map(name => runBooked(world, `${caseNo}-${name}`, 1)))
  return events.reduce((sum, each) => sum + each, await parent.untilCompleted())
}

/** Uses the lockers of a workflow that books, and returns its number of events. */
async function runBooked({ client, people }: World, caseNo: string, bookings: number): Promise<number> {
  const history = followHistory(client, caseNo)
  const shipments = await history.untilBooked(bookings)
  await Promise.all(shipments.map(people.dropOff))
  await history.untilHandled(shipments.map(({ shipmentUid }) => ({ shipmentUid, stateCode: 'ReadyForPickup' })))
  await Promise.all(shipments.map(people.pickUp))
  return history.untilCompleted()
}

function toRows(measured: Readonly<Record<Kind, readonly Measured[]>>, concurrency: number): Row[] {
  const compare = (of: (one: Measured) => number, other: Kind) => {
    const [ours, baseline] = [median(measured.ours.map(of)), median(measured[other].map(of))]
    return { ours, baseline, ratio: ours / baseline }
  }
  const rate = compare(({ perSecond }) => perSecond, 'plain')
  const events = compare(each => median(each.events), 'children')
  const [plain, children] = ['three branches, against one workflow', 'three branches, against child workflows']
  return [
    {
      what: `${plain}: flows through, ${concurrency} at once`,
      unit: '/s',
      ...rate,
      bar: `at least ${minRate}`,
      met: rate.ratio >= minRate,
    },
    {
      what: `${plain}: processor time of the worker for a flow`,
      unit: 'ms',
      ...compare(each => each.worker, 'plain'),
    },
    { what: `${plain}: events of a flow`, unit: 'events', ...compare(each => median(each.events), 'plain') },
    {
      what: `${children}: flows through, ${concurrency} at once`,
      unit: '/s',
      ...compare(({ perSecond }) => perSecond, 'children'),
    },
    {
      what: `${children}: processor time of the worker for a flow`,
      unit: 'ms',
      ...compare(each => each.worker, 'children'),
    },
    {
      what: `${children}: events of a flow`,
      unit: 'events',
      ...events,
      bar: 'fewer',
      met: events.ratio < 1,
    },
  ]
}
