import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import { type BookingFlowName as FlowName, bookingFlows as flows, leftOverReasons, rolesOf, toWorkflowId } from '#flows'
import { shipmentStatus } from '#flows/messages'
import { pass, type Rule } from '../../../../testing/stack/wire.ts'
import { eventually, gate } from '../../../support/eventually.ts'
import { book, rejectionsOf } from '../../../support/flows/booking.ts'
import { acceptedUpdates } from '../../../support/flows/history.ts'
import { journeys } from '../../../support/flows/journeys.ts'
import { startFor, startWith, walk } from '../../../support/flows/underway.ts'
import { parcel } from '../../../support/world/apiWorld.ts'
import type { World } from '../../../support/world/flowWorld.ts'
import { useWorld } from '../../../support/world/useWorld.ts'
import { startProcess } from '../../../support/world/workerProcess.ts'

const flowNames = Object.keys(flows) as FlowName[]

const profile = { ...fullProfile, idempotent: false }

function creates(caseNo: string, handling: Rule): Rule {
  return passing => (passing.path.endsWith('AsStock') && passing.body.includes(caseNo) ? handling(passing) : pass)
}

describe.each([
  ['filters by case', { ...fullProfile, idempotent: false }],
  ['does not filter by case', { ...fullProfile, idempotent: false, readsByCase: false }],
])('a service without idempotency keys that %s', (_, profile) => {
  const world = useWorld({ profile })

  test('is read before a create is retried', async () => {
    const caseNo = world.newCase()
    let lost = 0
    world.toService.rule = creates(caseNo, () => (lost++ === 0 ? { kind: 'loseAnswer' } : pass))
    const booking = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
    expect(booking).toMatchObject({ kind: 'Booked', shipments: [{ stateCode: 'ReadyForDropOff' }] })
    expect(lost).toBe(1)
    await world.flows.cancel(caseNo, 'over')
  })

  test('is read afterwards: the oldest booking stays, duplicates are cancelled', async () => {
    // The first attempt arrives after the second has looked and created.
    const caseNo = world.newCase(2)
    const late = gate()
    let attempt = 0
    world.toService.rule = creates(caseNo, () => {
      attempt++
      if (attempt === 1) return { kind: 'cut' }
      return { kind: 'answerLater', until: late.opened }
    })
    const booking = world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
    const first = await eventually(async () => (await world.shipmentsOf(caseNo))[0])
    await world.api.call('CreateLocalShipmentAsStock', { ...parcel, Details: { ReferenceCaseNo: caseNo } })
    late.open()
    expect(await booking).toMatchObject({ kind: 'Booked', shipments: [{ shipmentUid: first.shipmentUid }] })
    await eventually(async () => {
      const [oldest, duplicate] = await world.shipmentsOf(caseNo)
      return oldest?.stateCode === 'ReadyForDropOff' && duplicate?.stateCode === 'Cancelled'
    })
    await world.flows.cancel(caseNo, 'over')
  })
})

describe('a refusal after an attempt without a response', () => {
  const refusal = { success: false, error: 'NoLockerAvailable', message: null }

  /** The first create of the case is cut, and the service refuses all others. */
  async function refusedAfterCut(world: World) {
    const caseNo = world.newCase(0)
    let attempts = 0
    world.toService.rule = creates(caseNo, () =>
      ++attempts === 1 ? { kind: 'cut' } : { kind: 'answer', body: refusal },
    )
    expect(await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })).toMatchObject({
      kind: 'Refused',
      code: 'NoLockerAvailable',
    })
    return caseNo
  }

  describe('without idempotency keys', () => {
    const world = useWorld({ profile, createDelay: 60_000 })

    test('is not the end of the search: a create that arrives later is undone', async () => {
      const caseNo = await refusedAfterCut(world)
      world.cases.set(caseNo, 1)
      world.toService.rule = () => pass
      await world.api.call('CreateLocalShipmentAsStock', { ...parcel, Details: { ReferenceCaseNo: caseNo } })
      expect(await world.flows.result(caseNo)).toMatchObject({ kind: 'Refused', code: 'NoLockerAvailable' })
      expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
    })
  })

  describe('with idempotency keys', () => {
    const world = useWorld()

    test('is the truth, so nothing is left over', async () => {
      const caseNo = await refusedAfterCut(world)
      const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
      const failure = await handle.result().catch(({ cause }) => cause)
      expect(failure.type).toBe('NoLockerAvailable')
      expect(failure.details).not.toContainEqual(expect.objectContaining({ leftOver: expect.anything() }))
    })
  })
})

describe('a service without idempotency keys that books after the flow has abandoned an attempt', () => {
  /** A flow that is booked, and what a create of it makes that comes through late. */
  async function bookedTwice(world: World) {
    const { caseNo, shipments } = await startWith(world, 'stock', parcel, {}, world.newCase(2))
    const [shipment] = shipments
    const request = { ...parcel, Details: { ReferenceCaseNo: caseNo } }
    const { shipmentUids } = await world.api.call('CreateLocalShipmentAsStock', request)
    const [late] = shipmentUids
    if (shipment === undefined || late === undefined) throw new Error('nothing was booked')
    return { caseNo, shipment, late }
  }

  describe('at the next poll', () => {
    const world = useWorld({ profile, pollInterval: { initial: 400, maximum: 60_000 } })

    test('the duplicate is found and cancelled', async () => {
      const { caseNo, shipment } = await bookedTwice(world)
      await eventually(async () => {
        const states = (await world.shipmentsOf(caseNo)).map(({ stateCode }) => stateCode)
        return states.toSorted().join() === 'Cancelled,ReadyForDropOff'
      })
      await world.open(shipment, 'deliveryCode')
      expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed', leftOver: [] } })
    })
  })

  describe('before the flow ends', () => {
    const world = useWorld({ profile })

    test('the duplicate is found, and left over if it holds an item', async () => {
      const { caseNo, shipment, late } = await bookedTwice(world)
      await world.openShipment(late, 'deliveryCode')
      await world.open(shipment, 'deliveryCode')
      const reason = 'it was booked twice; there is an item in the locker'
      expect(await world.flows.result(caseNo)).toMatchObject({
        result: { outcome: 'completed', leftOver: [{ step: 'booking', shipmentUid: late, reason }] },
      })
    })

    test.each(flowNames)('no shipment of %s is mistaken for a duplicate', async flow => {
      const underway = await startFor(world, flow)
      await walk(world, underway)
      expect(await world.flows.result(underway.caseNo)).toMatchObject({
        result: { outcome: 'completed', leftOver: [] },
      })
      expect(rejectionsOf(await world.statusWhen(underway.caseNo, () => true))).toEqual([])
    })
  })

  describe('after the longest time that a create can take', () => {
    const createDelay = 500
    const world = useWorld({ profile, createDelay })

    test('a shipment of another program with the same case number is left alone', async () => {
      const { caseNo } = await startWith(world, 'stock', parcel, {}, world.newCase(2))
      const bookedAt = Date.now()
      await eventually(() => Date.now() > bookedAt + createDelay)
      const request = { ...parcel, Details: { ReferenceCaseNo: caseNo } }
      const { shipmentUids } = await world.api.call('CreateLocalShipmentAsStock', request)
      const [shipmentUid = ''] = shipmentUids
      expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ outcome: 'cancelled', leftOver: [] })
      const { items } = await world.api.call('GetShipments', { shipmentUid })
      expect(items).toMatchObject([{ stateCode: 'ReadyForDropOff' }])
    })
  })
})

describe('a service without reads and without keys', () => {
  const world = useWorld({ profile: { ...fullProfile, idempotent: false, reads: false, readsByCase: false } })
  const leftOver = { step: 'booking', shipmentUid: null, reason: leftOverReasons.mayBeBooked }

  async function expectLeftOver(caseNo: string): Promise<void> {
    const failure = await world.client.workflow
      .getHandle(toWorkflowId(caseNo))
      .result()
      .catch(({ cause }) => cause)
    expect(failure).toMatchObject({ type: 'BookingUncertain', details: [{ leftOver: [leftOver] }] })
  }

  test('is expected to call back', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    expect(shipment).toMatchObject({ stateCode: 'ReadyForDropOff', pupUid: 'pup-1', lockerName: null })
    const [item] = await world.shipmentsOf(caseNo)
    await world.open({ ...shipment, lockerName: item?.lockerName ?? null }, 'deliveryCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    expect(world.toService.passings.some(({ path }) => path.endsWith('GetShipments'))).toBe(false)
  })

  test('whose response is lost is not retried automatically', async () => {
    const caseNo = world.newCase()
    world.toService.rule = creates(caseNo, () => ({ kind: 'loseAnswer' }))
    expect(await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })).toMatchObject({
      kind: 'Refused',
      code: 'BookingUncertain',
    })
    await expectLeftOver(caseNo)
  })

  test.each(['stock', 'collectByDispatcher', 'issueAndSwapIntake', 'intakeAndCircularStock'] as const)(
    'leaves a booking of %s that it cannot find to a person when its caller cancels it',
    async flow => {
      const caseNo = world.newCase(Object.keys(rolesOf(flows[flow])).length)
      const [arrived, opened] = [gate(), gate()]
      world.toService.rule = ({ path, body }) => {
        if (!path.includes('/Create') || !body.includes(caseNo)) return pass
        arrived.open()
        return { kind: 'loseAnswer', until: opened.opened }
      }
      await world.flows.start(flow, { caseNo, request: await journeys[flow].prepare(world) })
      await arrived.opened
      const cancelled = world.flows.cancel(caseNo, 'over')
      await eventually(async () => (await acceptedUpdates(world, caseNo)).includes('cancel'))
      opened.open()
      expect(await cancelled).toMatchObject({ kind: 'Cancelled', leftOver: [leftOver] })
    },
  )

  /** Fails the pending activity as if its worker were lost, which takes Temporal six minutes to find out. */
  async function loseAttempt(caseNo: string): Promise<void> {
    const { raw } = await world.client.workflow.getHandle(toWorkflowId(caseNo)).describe()
    const activityId = raw.pendingActivities?.[0]?.activityId ?? ''
    const execution = { namespace: 'default', workflowId: toWorkflowId(caseNo), activityId }
    const failure = { message: 'lost', applicationFailureInfo: { type: 'Lost', nonRetryable: false } }
    await world.client.workflowService.respondActivityTaskFailedById({ ...execution, failure })
  }

  test('is not called again after an attempt with an unknown outcome either', async () => {
    const caseNo = world.newCase()
    const [arrived, opened] = [gate(), gate()]
    world.toService.rule = creates(caseNo, () => {
      arrived.open()
      return { kind: 'answerLater', until: opened.opened }
    })
    const booking = world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
    await arrived.opened
    await loseAttempt(caseNo)
    expect(await booking).toMatchObject({ kind: 'Refused', code: 'BookingUncertain' })
    opened.open()
    expect(await world.shipmentsOf(caseNo)).toHaveLength(1)
    await expectLeftOver(caseNo)
  })

  test('is not called again after such an attempt, even if the first one was lost with its worker', async () => {
    // The call of each worker books in the end.
    const caseNo = world.newCase(2)
    const [begun, arrived, opened] = [gate(), gate(), gate()]
    await world.stopWorker()
    // The first attempt of such a service only plans, so that of a worker with another profile is lost.
    const former = await startProcess(world, {})
    world.toService.rule = creates(caseNo, () => {
      begun.open()
      return { kind: 'arriveLater', until: opened.opened }
    })
    const booking = world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
    await begun.opened
    former.kill('SIGKILL')
    await once(former, 'exit')
    world.toService.rule = creates(caseNo, () => {
      arrived.open()
      return { kind: 'answerLater', until: opened.opened }
    })
    await world.restartWorker()
    await arrived.opened
    await loseAttempt(caseNo)
    expect(await booking).toMatchObject({ kind: 'Refused', code: 'BookingUncertain' })
    opened.open()
    await eventually(async () => (await world.shipmentsOf(caseNo)).length === 2)
    await expectLeftOver(caseNo)
  })

  test('that certainly received nothing is retried', async () => {
    const caseNo = world.newCase()
    let refused = 0
    world.toService.rule = creates(caseNo, () => (refused++ === 0 ? { kind: 'status', status: 429 } : pass))
    expect(await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })).toMatchObject({
      kind: 'Booked',
    })
    expect(rejectionsOf(await world.statusWhen(caseNo, () => true))).toMatchObject([
      { what: 'an attempt to book failed: RateLimited' },
    ])
    await world.flows.cancel(caseNo, 'over')
  })
})

describe('a service without reads', () => {
  const world = useWorld({ profile: { ...fullProfile, reads: false, readsByCase: false } })

  test('reports the new receiver by callback', async () => {
    const request = { ...parcel, FromUserUid: world.userUid, IsReceiverDelayed: true }
    const { caseNo, shipments } = await startWith(world, 'localShipment', request)
    const [{ shipmentUid } = { shipmentUid: '' }] = shipments
    await world.openShipment(shipmentUid, 'deliveryCode')
    await world.statusWhen(caseNo, ({ step }) => step === 'naming')
    expect(await world.flows.assignReceiver(caseNo, world.userUid)).toMatchObject({ kind: 'Answered' })
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    await world.openShipment(shipmentUid, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('is not read for a locker out of service', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    const { shipmentUid, stateCode } = shipment
    const reads = () => world.toService.passings.filter(({ path }) => path.endsWith('GetShipments')).length
    const before = reads()
    const outage = { shipmentUid, stateCode, stateStart: '2026-01-01T00:00:00.000', lockerOutOfService: true }
    await world.client.workflow.getHandle(toWorkflowId(caseNo)).signal(shipmentStatus, outage)
    await world.openShipment(shipmentUid, 'deliveryCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    expect(reads()).toBe(before)
  })

  test('releases a kept booking', async () => {
    const { caseNo } = await startWith(world, 'collectByDispatcher', { ...parcel, KeepBookedAfterPickUp: true })
    expect(await world.flows.release(caseNo)).toMatchObject({ kind: 'Answered' })
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed', leftOver: [] } })
  })
})

describe('a service with only the uid signature', () => {
  const world = useWorld({ profile: { ...fullProfile, standardWebhooks: false } })

  test('is read after every callback, and a callback alone changes nothing', async () => {
    const { caseNo, shipment } = await book(world, 'issue')
    const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
    const stateStart = '2999-01-01T00:00:00.000'
    const asked = () => world.toService.passings.filter(({ path }) => path.endsWith('GetShipments')).length
    const before = asked()
    await handle.signal(shipmentStatus, { shipmentUid: shipment.shipmentUid, stateCode: 'Completed', stateStart })
    await eventually(() => asked() > before)
    expect(await world.statusWhen(caseNo, () => true)).toMatchObject({
      stage: 'dropOff',
      shipments: [{ stateCode: 'ReadyForDropOff' }],
    })
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })
})
