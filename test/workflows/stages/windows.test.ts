import { describe, expect, test } from 'vitest'
import { searchAttributes } from '#contract/terms'
import { pass } from '../wire/wire.ts'
import { book } from './booking.ts'
import { eventually, gate } from './eventually.ts'
import { eventsOf } from './history.ts'
import { useWorld } from './useWorld.ts'

const world = useWorld()

describe('a window whose answer is cancel', () => {
  test('ends the flow as expired, and frees the locker', async () => {
    const { caseNo } = await book(world, 'issue', { dropOff: '300ms' })
    expect(await world.flows.result(caseNo)).toMatchObject({
      kind: 'Ended',
      result: { outcome: 'expired', shipments: [{ stateCode: 'Cancelled' }], leftOver: [] },
    })
  })

  test('does not, when the item came in just before', async () => {
    const { caseNo, shipment } = await book(world, 'issue', { dropOff: '2s' })
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })
})

describe('a window whose answer is remind', () => {
  test('marks the flow overdue, again and again, and lets it go on', async () => {
    const { caseNo, shipment } = await book(world, 'stock', { dropOff: '300ms' })
    const first = await world.statusWhen(caseNo, ({ overdue }) => overdue)
    expect(first).toMatchObject({ state: 'overdue', stage: 'dropOff', deadline: expect.any(String) })
    await world.statusWhen(caseNo, ({ deadline }) => deadline !== first.deadline)
    await world.open(shipment, 'deliveryCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('holds to a decision that is made while the service is asked once more', async () => {
    const { caseNo, shipment } = await book(world, 'stock', { dropOff: '400ms' })
    await world.statusWhen(caseNo, ({ overdue }) => overdue)
    const asked = gate()
    const answered = gate()
    world.toService.rule = ({ path }) => {
      if (!path.endsWith('/GetShipments')) return pass
      asked.open()
      return { kind: 'arriveLater', until: answered.opened }
    }
    await asked.opened
    const decided = await world.flows.decide(caseNo, { decision: 'extend', by: '14d' })
    answered.open()
    await eventually(async () => {
      const events = await eventsOf(world, caseNo)
      const scheduled = events.findLastIndex(event => event.activityTaskScheduledEventAttributes)
      const completed = events.findLastIndex(event => event.activityTaskCompletedEventAttributes)
      const taken = events.findLastIndex(event => event.workflowTaskCompletedEventAttributes)
      return scheduled < completed && completed < taken
    })
    if (decided.kind !== 'Decided') throw new Error(JSON.stringify(decided))
    const { deadline } = decided.status
    expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ state: 'waiting', overdue: false, deadline })
    await world.open(shipment, 'deliveryCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('is found by a search for what is overdue', async () => {
    const { caseNo } = await book(world, 'stock', { dropOff: '200ms' })
    const query = `${searchAttributes.overdue.name} = true AND ${searchAttributes.caseNo.name} = '${caseNo}'`
    await eventually(async () => {
      for await (const _ of world.client.workflow.list({ query })) return true
      return undefined
    })
    await world.flows.cancel(caseNo, 'over')
  })
})

describe('a window whose answer is a question', () => {
  async function overdue() {
    const booked = await book(world, 'issue', { pickUp: '300ms' })
    await world.open(booked.shipment, 'deliveryCode')
    const status = await world.statusWhen(booked.caseNo, status => status.overdue)
    expect(status).toMatchObject({ state: 'overdue', stage: 'pickUp', deadline: null })
    return booked
  }

  test('extended, it passes again', async () => {
    const { caseNo, shipment } = await overdue()
    const decided = await world.flows.decide(caseNo, { decision: 'extend', by: '400ms' })
    expect(decided).toMatchObject({ kind: 'Decided' })
    await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
    await world.statusWhen(caseNo, ({ state }) => state === 'overdue')
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('kept waiting, it has no window any more', async () => {
    const { caseNo, shipment } = await overdue()
    await world.flows.decide(caseNo, { decision: 'keepWaiting' })
    const status = await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
    expect(status).toMatchObject({ overdue: false, deadline: null })
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('cancelled, it leaves the item for a person', async () => {
    const { caseNo, shipment } = await overdue()
    await world.flows.decide(caseNo, { decision: 'cancel' })
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: {
        outcome: 'cancelled',
        leftOver: [{ shipmentUid: shipment.shipmentUid, why: 'there is an item in the locker' }],
      },
    })
    await world.open(shipment, 'pickUpCode')
  })

  test('collected before anybody decides, it completes', async () => {
    const { caseNo, shipment } = await overdue()
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })
})

describe('a decision that makes no sense', () => {
  test.each([
    ['while no window has passed', { decision: 'extend' }, 'NothingToDecide'],
    ['that is none', { decision: 'shrug' }, 'InvalidFlowInput'],
    ['with a duration that is none', { decision: 'extend', by: 'a while' }, 'InvalidFlowInput'],
  ])('%s is refused', async (_, decision, code) => {
    const { caseNo } = await book(world, 'stock')
    expect(await world.flows.decide(caseNo, decision as never)).toMatchObject({ kind: 'Refused', code })
    await world.flows.cancel(caseNo, 'over')
  })
})
