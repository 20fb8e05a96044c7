import { describe, expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { pass } from '../../../testing/stack/wire.ts'
import { eventually, gate } from '../../support/eventually.ts'
import { journeys } from '../../support/flows/journeys.ts'
import { growOld } from '../../support/flows/longHistories.ts'
import { queryFor } from '../../support/flows/savedQueries.ts'
import { requireRole, startWith, type Underway, walk } from '../../support/flows/underway.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useOwnTemporal } from '../../support/world/ownTemporal.ts'
import { useWorld } from '../../support/world/useWorld.ts'

/** The queries must not find flows of other tests. */
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
  await world.open(requireRole(shipments, 'intake'), 'deliveryCode')
  await world.flows.result(caseNo)
}

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
    await world.client.workflow.getHandle(toWorkflowId(torn.caseNo)).terminate()

    const everywhere = [overdue, old, elsewhere, stock].map(({ caseNo }) => caseNo)
    await expectFound('all overdue flows', {}, everywhere)
    await expectFound('all overdue loans at this pick up point', {}, [overdue.caseNo, old.caseNo])
    await expectFound('all overdue loans at this pick up point', { 'pup-1': 'pup-2' }, [elsewhere.caseNo])
    await expectFound('flows that were terminated or timed out, whose lockers may still be booked', {}, [torn.caseNo])
    const loans = [overdue, old, running, elsewhere].map(({ caseNo }) => caseNo)
    await expectFound('running flows for this user', { '7d0c2e0a': world.userUid }, loans)
    await expectFound('the runs of this case', { 'L-2001': old.caseNo }, [old.caseNo, old.caseNo])
    const { shipmentUid } = requireRole(running.shipments, 'intake')
    await expectFound('the flows of this shipment', { '8b0b3dc5': shipmentUid }, [running.caseNo])

    for (const one of [overdue, old, running, elsewhere]) await bringBack(one)
    await world.openShipment(requireRole(torn.shipments, 'intake').shipmentUid, 'deliveryCode')
    await world.open(requireRole(stock.shipments, 'stock'), 'deliveryCode')
    await expectFound('all overdue flows', {}, [])
    await expectFound('all overdue loans at this pick up point', {}, [])
  })
})

test('flows are found by their step, and by how they ended', async () => {
  const waiting = await startWith(world, 'issueFromStock', await journeys.issueFromStock.prepare(world))
  await walk(world, waiting, 'pickUp')
  const before = await startWith(world, 'issue', await journeys.issue.prepare(world))
  await expectFound('flows that wait for a pick up at this pick up point', {}, [waiting.caseNo])
  await expectFound('flows that wait for a pick up at this pick up point', { 'pup-1': 'pup-2' }, [])
  for (const { caseNo } of [waiting, before]) await world.flows.cancel(caseNo, 'over')
  await expectFound('flows that wait for a pick up at this pick up point', {}, [])
  await expectFound('flows that ended with something left for a person', {}, [waiting.caseNo])
  await expectFound('flows whose window passed and ended them', {}, [])
})

test('flows are found while they are not booked, while they clean up, and when they failed', async () => {
  const answered = gate()
  const caseNo = world.newCase()
  const { client } = world
  world.toService.rule = () => ({ kind: 'arriveLater', until: answered.opened })
  const booking = world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
  await expectFound('flows without a booking yet', {}, [caseNo])
  answered.open()
  await booking
  await expectFound('flows without a booking yet', {}, [])

  const cleaned = gate()
  world.toService.rule = () => ({ kind: 'arriveLater', until: cleaned.opened })
  await client.workflow.getHandle(toWorkflowId(caseNo)).cancel()
  await expectFound('flows that clean up', {}, [caseNo])
  cleaned.open()
  await world.flows.result(caseNo)
  await expectFound('flows that clean up', {}, [])

  const refused = world.newCase(0)
  await world.flows.startAndWaitForBooking('stock', { caseNo: refused, request: { ...parcel, Dimension: huge } })
  await expectFound('failed flows', {}, [refused])
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
  await expectFound('flows without a booking yet', {}, [caseNo])
  opened.open()
  await booking
  await expectFound('flows without a booking yet', {}, [])
  await world.flows.cancel(caseNo, 'over')
})

describe('a flow that another client started without static details', () => {
  const starts: [how: string, flow: string, input: (caseNo: string) => object][] = [
    ['is refused', 'stock', caseNo => ({ caseNo, request: { ...parcel, Dimension: huge } })],
    ['has an invalid input', 'stock', () => ({ caseNo: 42 })],
    ['is not a flow', 'lendMeALadder', caseNo => ({ caseNo, request: {} })],
    ['books nothing', 'onboardAccount', caseNo => ({ caseNo, request: {} })],
  ]

  test.each(starts)('and that %s is found by its case', async (_, flow, input) => {
    const caseNo = world.newCase(0)
    const options = { workflowId: toWorkflowId(caseNo), taskQueue: world.taskQueue, args: [input(caseNo)] }
    const handle = await world.client.workflow.start(flow, options)
    await expect(handle.result()).rejects.toThrow()
    await expectFound('the runs of this case', { 'L-2001': caseNo }, [caseNo])
    await eventually(async () => (await found(queryFor('failed flows', {}))).includes(caseNo))
  })
})
