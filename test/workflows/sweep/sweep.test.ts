import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { createApi } from '#contract/client'
import { fullProfile } from '#contract/terms'
import type { SweepInput } from '#flows'
import type { Runtime } from '../../../workflows/runtime.ts'
import { runSweep } from '../../../workflows/sweep.ts'
import { book, requestOf } from '../../support/flows/booking.ts'
import { requestBeforeStock } from '../../support/flows/journeys.ts'
import { expectTakenOver, sweep, sweepCase, terminate } from '../../support/flows/orphans.ts'
import { isWellNamed, namedIn } from '../../support/flows/summaries.ts'
import { startFor, startWith, walk } from '../../support/flows/underway.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()
const inside = 'there is an item in the locker'

/** A booking that was made past any flow. */
const stockOf = (caseNo: string) => ({ ...parcel, Details: { ReferenceCaseNo: caseNo } })

/** Cleaned up after each test, so that the next one finds nothing. */
afterEach(async () => {
  const { items } = await world.api.call('GetShipments', { activeShipments: true, pageSize: 500 })
  for (const { shipmentUid } of items) {
    await world.api.call('CancelShipment', { shipmentUid }).catch(() => undefined)
  }
})

describe('a sweep finds', () => {
  test('the bookings of a terminated flow', async () => {
    const { caseNo, shipment } = await book(world, 'issue')
    await terminate(world, caseNo)
    const { role: _, ...seen } = shipment
    expect((await sweep(world)).cases).toEqual([
      {
        caseNo,
        flow: 'issue',
        reason: 'its flow was closed as TERMINATED',
        shipments: [{ ...seen, since: expect.stringMatching(/^\d{4}-.*Z$/) }],
      },
    ])
    // Looking changes nothing.
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'ReadyForDropOff' }])
  })

  test('cases that Temporal does not know, with all their shipments', async () => {
    const caseNo = `T-${randomUUID()}`
    for (let made = 0; made < 3; made++) await world.api.call('CreateLocalShipmentAsStock', stockOf(caseNo))
    const found = await sweepCase(world, caseNo)
    expect(found).toMatchObject({ flow: null, reason: 'Temporal does not know the case' })
    expect(found?.shipments).toHaveLength(3)
  })

  test('the left-overs of a flow', async () => {
    const { caseNo, shipment } = await book(world, 'issue')
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    await world.flows.cancel(caseNo, 'over')
    expect(await sweepCase(world, caseNo)).toMatchObject({ reason: 'left over by its flow, cancelled' })
  })
})

describe('a sweep ignores', () => {
  test('a case whose flow runs', async () => {
    const { caseNo } = await book(world, 'stock')
    expect(await sweepCase(world, caseNo, { act: 'cancel' })).toBeUndefined()
    expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ outcome: 'cancelled' })
  })

  test('a recent case, since its booking may be in progress', async () => {
    const { caseNo } = await book(world, 'stock')
    await terminate(world, caseNo)
    expect(await sweep(world, { caseNo, act: 'cancel', olderThan: 900_000 })).toMatchObject({ cases: [], tooRecent: 1 })
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'ReadyForDropOff' }])
  })

  test('the outputs of a completed flow', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    await world.open(shipment, 'deliveryCode')
    await world.flows.result(caseNo)
    expect(await sweep(world, { caseNo, act: 'cancel' })).toMatchObject({ cases: [], completed: 1 })
  })

  test('shipments without a valid case number', async () => {
    await world.api.call('CreateLocalShipmentAsStock', parcel)
    await world.api.call('CreateLocalShipmentAsStock', stockOf(` ${'x'.repeat(70)}`))
    expect(await sweep(world, { act: 'cancel' })).toMatchObject({ cases: [], tooRecent: 0 })
  })

  test("another tenant's shipments", async () => {
    const { baseUrl, authUrl } = world.apiSettings
    const other = createApi({ baseUrl, authUrl, clientId: 'globex', clientSecret: 'globex-secret' })
    const caseNo = `T-${randomUUID()}`
    const request = { ...stockOf(caseNo), PupUid: 'pup-3' }
    const { shipmentUids } = await other.call('CreateLocalShipmentAsStock', request)
    expect(await sweep(world, { act: 'cancel' })).toMatchObject({ cases: [] })
    for (const shipmentUid of shipmentUids) await other.call('CancelShipment', { shipmentUid })
    await other.close()
  })
})

describe('with the act cancel, a sweep', () => {
  test('cancels shipments without an item', async () => {
    const { caseNo } = await book(world, 'issue')
    await terminate(world, caseNo)
    const swept = await sweepCase(world, caseNo, { act: 'cancel' })
    expect(swept?.shipments).toMatchObject([{ stateCode: 'Cancelled' }])
    expect(swept?.shipments[0]).not.toHaveProperty('left')
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
    expect(await sweepCase(world, caseNo)).toBeUndefined()
  })

  test('keeps a shipment with an item, and cancels the rest of its case', async () => {
    const underway = await startFor(world, 'issueAndSwapIntake')
    await walk(world, underway, 'swap')
    await terminate(world, underway.caseNo)
    const swept = await sweepCase(world, underway.caseNo, { act: 'cancel' })
    const byRole = (role: string) => {
      const uid = underway.shipments.find(shipment => shipment.role === role)?.shipmentUid
      return swept?.shipments.find(({ shipmentUid }) => shipmentUid === uid)
    }
    expect(byRole('issue')).toMatchObject({ stateCode: 'ReadyForPickup', left: inside })
    expect(byRole('intake')).toMatchObject({ stateCode: 'Cancelled' })
  })

  test.each([
    ['the casing of the contract', (field: string) => field],
    ['another casing', (field: string) => field.toLowerCase()],
  ])('keeps shipments that existed before a flow whose request has %s', async (_, spell) => {
    const request = Object.entries(await requestBeforeStock(world)).map(([field, value]) => [spell(field), value])
    const underway = await startWith(world, 'issueFromStock', Object.fromEntries(request))
    await terminate(world, underway.caseNo)
    expect(await sweepCase(world, underway.caseNo, { act: 'cancel' })).toMatchObject({
      shipments: [{ stateCode: 'ReadyForDropOff', left: 'it was in stock before the flow' }],
    })
  })
})

describe('with the act adopt, a sweep', () => {
  test.each([
    { name: 'issueAndSwapIntake', stage: 'swap' },
    { name: 'issueFromStockAndSubsequentIntakeAndCircularStock', stage: 'return' },
  ] as const)('adopts $name in $stage, and the flow completes', async ({ name, stage }) => {
    const underway = await startFor(world, name, stage, { [stage]: '1h' })
    await walk(world, underway, stage)
    await terminate(world, underway.caseNo)
    expect(await sweepCase(world, underway.caseNo, { act: 'adopt' })).toMatchObject({ adopted: true })
    const { since, deadline } = await world.statusWhen(underway.caseNo, ({ state }) => state === 'waiting')
    // The windows begin again, with their given durations.
    expect(Date.parse(deadline ?? '') - Date.parse(since)).toBe(3_600_000)
    await expectTakenOver(world, underway, stage)
  })

  test('does not adopt the left-overs of a flow', async () => {
    const { caseNo, shipment } = await book(world, 'issue')
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    await world.flows.cancel(caseNo, 'over')
    const left = 'its flow ended by itself, and left this to a person'
    expect(await sweepCase(world, caseNo, { act: 'adopt' })).toMatchObject({ adopted: false, left })
  })

  test('does not adopt an unknown case without the name of its flow', async () => {
    const caseNo = `T-${randomUUID()}`
    await world.api.call('CreateLocalShipmentAsStock', stockOf(caseNo))
    const left = 'say which flow it was, with --flow'
    expect(await sweepCase(world, caseNo, { act: 'adopt' })).toMatchObject({ adopted: false, left })
  })

  test('books nothing, and does not adopt a case with two bookings', async () => {
    const caseNo = world.newCase(2)
    for (let made = 0; made < 2; made++) await world.api.call('CreateLocalShipmentAsStock', stockOf(caseNo))
    const left = 'the flow ended with NothingToAdopt'
    expect(await sweepCase(world, caseNo, { act: 'adopt', flow: 'stock' })).toMatchObject({ adopted: false, left })
    expect((await world.shipmentsOf(caseNo)).map(({ stateCode }) => stateCode)).toEqual(
      Array(2).fill('ReadyForDropOff'),
    )
  })
})

test('a service without reads cannot be swept', async () => {
  await world.restartWorker({ profile: { ...fullProfile, reads: false, readsByCase: false } })
  await expect(sweep(world)).rejects.toMatchObject({ cause: { cause: { type: 'ReadsUnsupported' } } })
  await world.restartWorker()
})

test('the case of a restarted flow is not swept', async () => {
  const { caseNo } = await book(world, 'stock')
  await terminate(world, caseNo)
  world.cases.set(caseNo, 2)
  const request = requestOf(world, 'stock')
  expect(await world.flows.startAndWaitForBooking('stock', { caseNo, request })).toMatchObject({ kind: 'Booked' })
  expect(await sweepCase(world, caseNo, { act: 'cancel' })).toBeUndefined()
  await world.flows.cancel(caseNo, 'over')
})

function execute(...args: unknown[]): Promise<unknown> {
  const { client, taskQueue } = world
  return client.workflow.execute('sweep', { workflowId: `sweep-${randomUUID()}`, taskQueue, args })
}

test.each([
  ['without an argument', undefined, 'act: '],
  ['with an unknown treatment', { act: 'Cancel', olderThan: 1 }, 'act: '],
  ['without an age', { act: 'cancel', olderThan: null }, 'olderThan: '],
  ['with an age that is not a number', { act: 'cancel', olderThan: '1h' }, 'olderThan: '],
  ['with late bookings of another form', { act: 'cancel', olderThan: 0, late: { delay: '1s' } }, 'late: '],
  [
    'with late bookings of another day',
    { act: 'cancel', olderThan: 0, late: { delay: 86_400_001, known: [] } },
    'late.delay: must be',
  ],
  ['with a case that is not a case number', { act: 'cancel', olderThan: 0, caseNo: 42 }, 'caseNo: '],
  ['with a flow that is not a name', { act: 'cancel', olderThan: 0, flow: ['stock'] }, 'flow: '],
  [
    'with a run that is no id',
    { act: 'cancel', olderThan: 0, late: { delay: 0, known: [], runId: 1 } },
    'late.runId: ',
  ],
  [
    'with late bookings that are no ids',
    { act: 'cancel', olderThan: 0, late: { delay: 0, known: ['uid', { uid: 'x' }] } },
    'late.known[1]: ',
  ],
])('a sweep %s is refused', async (_, input, says) => {
  // Without a runtime, an activity would be another error.
  const refused = runSweep({} as Runtime, input as SweepInput)
  await expect(refused).rejects.toMatchObject({ type: 'InvalidFlowInput', message: expect.stringContaining(says) })
})

test('the sweep of a misspelled field is refused, and treats nothing', async () => {
  const caseNo = `T-${randomUUID()}`
  await world.api.call('CreateLocalShipmentAsStock', stockOf(caseNo))
  await expect(execute({ act: 'cancel', olderThan: 0, caseno: caseNo })).rejects.toMatchObject({
    cause: { type: 'InvalidFlowInput', message: expect.stringContaining('caseno: ') },
  })
  expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'ReadyForDropOff' }])
})

test('a field of a sweep that is null counts as unset', async () => {
  const caseNo = `T-${randomUUID()}`
  await world.api.call('CreateLocalShipmentAsStock', stockOf(caseNo))
  const report = await execute({ act: 'list', olderThan: 1, flow: null, caseNo: null, late: null })
  expect(report).toMatchObject({ cases: [{ caseNo }] })
})

test('each activity of a sweep has a summary', async () => {
  const { client, taskQueue } = world
  const named = []
  for (const act of ['list', 'adopt', 'cancel']) {
    const caseNo = `T-${randomUUID()}`
    await world.api.call('CreateLocalShipmentAsStock', stockOf(caseNo))
    const workflowId = `sweep-${randomUUID()}`
    await client.workflow.execute('sweep', { workflowId, taskQueue, args: [{ act, olderThan: 1, caseNo }] })
    named.push(...namedIn(await client.workflow.getHandle(workflowId).fetchHistory()))
  }
  expect(new Set(named.map(({ type }) => type))).toEqual(new Set(['findOrphans', 'adoptOrphan', 'cancelOrphan']))
  expect(named.filter(each => !isWellNamed(each))).toEqual([])
})
