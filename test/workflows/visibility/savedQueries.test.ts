import { describe, expect, test } from 'vitest'
import { type FlowShipment, workflowIdOf } from '#contract/terms'
import { pass } from '../wire/wire.ts'
import { eventually, gate } from './eventually.ts'
import { growOld } from './growing.ts'
import { journeys } from './journeys.ts'
import { useOwnTemporal } from './ownTemporal.ts'
import { documentedQueries, queryFor } from './queries.ts'
import { startWith, type Underway, walk } from './underway.ts'
import { useWorld } from './useWorld.ts'
import { parcel } from './world.ts'

/** Nobody else's flows may be found. */
const world = useWorld({}, useOwnTemporal())

const loan = 'issueFromStockAndSubsequentIntakeAndCircularStock'
const short = { return: '300ms' }
/** Fits no locker. */
const huge = { width: 9_000, height: 9_000, length: 9_000 }

/** The cases whose newest or earlier runs a query finds, in order. */
async function found(query: string): Promise<string[]> {
  const cases: string[] = []
  for await (const { workflowId } of world.client.workflow.list({ query })) cases.push(workflowId.replace('case:', ''))
  return cases.toSorted()
}

/** Visibility follows by and by. */
async function expectFound(what: string, values: Readonly<Record<string, string>>, cases: readonly string[]) {
  const query = queryFor(what, values)
  const wanted = JSON.stringify(cases.toSorted())
  await eventually(async () => JSON.stringify(await found(query)) === wanted).catch(async () => {
    expect(await found(query), what).toEqual(cases.toSorted())
  })
}

/** A loan at a pick up point whose user has the item. */
async function lent(PupUid: string, windows = {}): Promise<Underway> {
  const { shipmentUids } = await world.api.call('CreateLocalShipmentAsStock', { ...parcel, PupUid })
  const [PriorShipmentUid = ''] = shipmentUids
  await world.openShipment(PriorShipmentUid, 'deliveryCode')
  const underway = await startWith(world, loan, { PriorShipmentUid, ToUserUid: world.userUid }, windows)
  await walk(world, underway, 'return')
  if ('return' in windows) await world.statusWhen(underway.caseNo, ({ overdue }) => overdue)
  return underway
}

async function bringBack({ caseNo, shipments }: Underway): Promise<void> {
  await world.open(roleOf(shipments, 'intake'), 'deliveryCode')
  await world.flows.result(caseNo)
}

function roleOf(shipments: readonly FlowShipment[], role: string): FlowShipment {
  const shipment = shipments.find(candidate => candidate.role === role)
  if (shipment === undefined) throw new Error(`there is no ${role}`)
  return shipment
}

test('the queries of docs/web-ui.md are those that are run here', () => {
  expect([...documentedQueries.keys()]).toEqual([
    'all overdue loans at this pick up point',
    'everything overdue, at every pick up point',
    'what waits for its user at this pick up point',
    'what runs for this user',
    'the flows of this shipment',
    'the runs of this case',
    'what is not booked yet',
    'what cleans up',
    'what failed',
    'what was terminated, so that lockers may still be booked',
  ])
})

describe('among loans that are overdue, not overdue, elsewhere, ended, terminated and continued', () => {
  test('the saved query finds all overdue loans at this pick up point, and no others', async () => {
    const overdue = await lent('pup-1', short)
    const old = await lent('pup-1', short)
    const back = await lent('pup-1', short)
    const running = await lent('pup-1')
    const elsewhere = await lent('pup-2', short)
    const torn = await lent('pup-1', short)
    const stock = await startWith(world, 'stock', parcel, { dropOff: '300ms' })
    await world.statusWhen(stock.caseNo, ({ overdue }) => overdue)
    await bringBack(back)
    await growOld(world, old.caseNo)
    await world.statusWhen(old.caseNo, ({ overdue }) => overdue)
    await world.client.workflow.getHandle(workflowIdOf(torn.caseNo)).terminate()

    const everywhere = [overdue, old, elsewhere, stock].map(({ caseNo }) => caseNo)
    await expectFound('everything overdue, at every pick up point', {}, everywhere)
    await expectFound('all overdue loans at this pick up point', {}, [overdue.caseNo, old.caseNo])
    await expectFound('all overdue loans at this pick up point', { 'pup-1': 'pup-2' }, [elsewhere.caseNo])
    await expectFound('what was terminated, so that lockers may still be booked', {}, [torn.caseNo])
    const loans = [overdue, old, running, elsewhere].map(({ caseNo }) => caseNo)
    await expectFound('what runs for this user', { '7d0c2e0a': world.userUid }, loans)
    await expectFound('the runs of this case', { 'L-2001': old.caseNo }, [old.caseNo, old.caseNo])
    const { shipmentUid } = roleOf(running.shipments, 'intake')
    await expectFound('the flows of this shipment', { '8b0b3dc5': shipmentUid }, [running.caseNo])

    for (const one of [overdue, old, running, elsewhere]) await bringBack(one)
    await world.openShipment(roleOf(torn.shipments, 'intake').shipmentUid, 'deliveryCode')
    await world.open(roleOf(stock.shipments, 'stock'), 'deliveryCode')
    await expectFound('everything overdue, at every pick up point', {}, [])
    await expectFound('all overdue loans at this pick up point', {}, [])
  }, 90_000)
})

test('flows are found by the stage that they wait in', async () => {
  const waiting = await startWith(world, 'issueFromStock', await journeys.issueFromStock.prepare(world))
  await walk(world, waiting, 'pickUp')
  const before = await startWith(world, 'issue', await journeys.issue.prepare(world))
  await expectFound('what waits for its user at this pick up point', {}, [waiting.caseNo])
  await expectFound('what waits for its user at this pick up point', { 'pup-1': 'pup-2' }, [])
  for (const { caseNo } of [waiting, before]) await world.flows.cancel(caseNo, 'over')
  await expectFound('what waits for its user at this pick up point', {}, [])
})

test('flows are found while they are not booked, while they clean up, and when they failed', async () => {
  const answered = gate()
  const caseNo = world.newCase()
  const { client } = world
  world.toService.rule = () => ({ kind: 'arriveLater', until: answered.opened })
  const booking = world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
  await expectFound('what is not booked yet', {}, [caseNo])
  answered.open()
  await booking
  await expectFound('what is not booked yet', {}, [])

  const cleaned = gate()
  world.toService.rule = () => ({ kind: 'arriveLater', until: cleaned.opened })
  await client.workflow.getHandle(workflowIdOf(caseNo)).cancel()
  await expectFound('what cleans up', {}, [caseNo])
  cleaned.open()
  await world.flows.result(caseNo)
  await expectFound('what cleans up', {}, [])

  const refused = world.newCase(0)
  await world.flows.startAndWaitForBooking('stock', { caseNo: refused, request: { ...parcel, Dimension: huge } })
  await expectFound('what failed', {}, [refused])
})

test('a flow whose first attempt to book failed is found as not booked, until it is', async () => {
  const caseNo = world.newCase()
  const opened = gate()
  let attempts = 0
  world.toService.rule = ({ path }) => {
    if (!path.endsWith('AsStock')) return pass
    return attempts++ === 0 ? { kind: 'status', status: 503 } : { kind: 'arriveLater', until: opened.opened }
  }
  const booking = world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
  await eventually(() => attempts > 1)
  await expectFound('what is not booked yet', {}, [caseNo])
  opened.open()
  await booking
  await expectFound('what is not booked yet', {}, [])
  await world.flows.cancel(caseNo, 'over')
})

describe('a flow that some other client started, which says nothing with the start', () => {
  const starts: [how: string, flow: string, input: (caseNo: string) => object][] = [
    ['is refused', 'stock', caseNo => ({ caseNo, request: { ...parcel, Dimension: huge } })],
    ['has an input that is none', 'stock', () => ({ caseNo: 42 })],
    ['is no flow', 'lendMeALadder', caseNo => ({ caseNo, request: {} })],
    ['books nothing', 'onboardAccount', caseNo => ({ caseNo, request: {} })],
  ]

  test.each(starts)('and that %s is found by its case', async (_, flow, input) => {
    const caseNo = world.newCase(0)
    const options = { workflowId: workflowIdOf(caseNo), taskQueue: world.taskQueue, args: [input(caseNo)] }
    const handle = await world.client.workflow.start(flow, options)
    await expect(handle.result()).rejects.toThrow()
    await expectFound('the runs of this case', { 'L-2001': caseNo }, [caseNo])
    await eventually(async () => (await found(queryFor('what failed', {}))).includes(caseNo))
  })
})
