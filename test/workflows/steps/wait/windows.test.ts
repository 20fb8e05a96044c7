import { describe, expect, test } from 'vitest'
import { searchAttributes } from '#flows'
import { decide } from '#flows/messages'
import { eventually, gate } from '../../../support/eventually.ts'
import { book } from '../../../support/flows/booking.ts'
import { hour, movableClock, moveFlowClock } from '../../../support/flows/clock.ts'
import { eventsOf } from '../../../support/flows/history.ts'
import { pass } from '../../../support/wire.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

const world = useWorld(movableClock)

describe('a window with the policy cancel', () => {
  test('ends the flow as expired, and frees the locker', async () => {
    const { caseNo } = await book(world, 'issue', { dropOff: '300ms' })
    expect(await world.flows.result(caseNo)).toMatchObject({
      kind: 'Ended',
      result: { outcome: 'expired', shipments: [{ stateCode: 'Cancelled' }], leftOver: [] },
    })
  })

  test('does not, if the item came in just before', async () => {
    const { caseNo, shipment } = await book(world, 'issue', { dropOff: '48h' })
    await world.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    expect(await moveFlowClock(world, caseNo, 49 * hour)).toEqual({ ended: false })
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })
})

describe('a window with the policy remind', () => {
  test('marks the flow overdue repeatedly, and the flow continues', async () => {
    const { caseNo, shipment } = await book(world, 'stock', { dropOff: '300ms' })
    const first = await world.statusWhen(caseNo, ({ overdue }) => overdue)
    expect(first).toMatchObject({ state: 'overdue', stage: 'dropOff', deadline: expect.any(String) })
    await world.statusWhen(caseNo, ({ deadline }) => deadline !== first.deadline)
    await world.open(shipment, 'deliveryCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('keeps a decision that arrives during the last poll', async () => {
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

  test('takes no decision while the flow is being ended', async () => {
    const { caseNo } = await book(world, 'stock', { dropOff: '400ms' })
    await world.statusWhen(caseNo, ({ overdue }) => overdue)
    const asked = gate()
    const answered = gate()
    world.toService.rule = ({ path }) => {
      if (!path.endsWith('/GetShipments')) return pass
      asked.open()
      return { kind: 'arriveLater', until: answered.opened }
    }
    // The last poll holds up the loop of the flow.
    await asked.opened
    const cancelled = world.flows.cancel(caseNo, 'over')
    await eventually(async () => (await acceptedIn(caseNo)).includes('cancel'))
    expect(await world.flows.decide(caseNo, { decision: 'extend', by: '14d' })).toMatchObject({
      kind: 'Refused',
      code: 'NothingToDecide',
    })
    answered.open()
    expect(await cancelled).toMatchObject({ kind: 'Cancelled', outcome: 'cancelled' })
  })

  test('reminds no more once a person keeps it waiting', async () => {
    const { caseNo, shipment } = await book(world, 'stock', { dropOff: '400ms' })
    await world.statusWhen(caseNo, ({ overdue, deadline }) => overdue && deadline !== null)
    const kept = { state: 'waiting', overdue: false, deadline: null }
    expect(await world.flows.decide(caseNo, { decision: 'keepWaiting' })).toMatchObject({ status: kept })
    await world.open(shipment, 'deliveryCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('is found by the query for overdue flows', async () => {
    const { caseNo } = await book(world, 'stock', { dropOff: '200ms' })
    const query = `${searchAttributes.overdue.name} = true AND ${searchAttributes.caseNo.name} = '${caseNo}'`
    await eventually(async () => {
      for await (const _ of world.client.workflow.list({ query })) return true
      return undefined
    })
    await world.flows.cancel(caseNo, 'over')
  })
})

describe('a window with the policy ask', () => {
  async function overdue() {
    const booked = await book(world, 'issue', { pickUp: '300ms' })
    await world.open(booked.shipment, 'deliveryCode')
    const status = await world.statusWhen(booked.caseNo, status => status.overdue)
    expect(status).toMatchObject({ state: 'overdue', stage: 'pickUp', deadline: null })
    return booked
  }

  test('extended, it passes again', async () => {
    const { caseNo, shipment } = await overdue()
    const decided = await world.flows.decide(caseNo, { decision: 'extend', by: '1h' })
    expect(decided).toMatchObject({ kind: 'Decided' })
    await world.statusWhen(caseNo, ({ state }) => state === 'waiting')
    await moveFlowClock(world, caseNo, 2 * hour)
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

  test('cancelled, it leaves the item over', async () => {
    const { caseNo, shipment } = await overdue()
    await world.flows.decide(caseNo, { decision: 'cancel' })
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: {
        outcome: 'cancelled',
        leftOver: [{ step: 'booking', shipmentUid: shipment.shipmentUid, reason: 'there is an item in the locker' }],
      },
    })
    await world.open(shipment, 'pickUpCode')
  })

  test('collected before a decision, it completes', async () => {
    const { caseNo, shipment } = await overdue()
    await world.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })
})

/** The names of the updates that the flow has accepted. */
async function acceptedIn(caseNo: string) {
  const events = await eventsOf(world, caseNo)
  return events.flatMap(
    event => event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.name ?? [],
  )
}

test.each([
  ['extend', 'extend'],
  ['cancel', 'extend'],
] as const)(
  'of %s and %s in one workflow task, the first is carried out, and the second is rejected without an event',
  async (...two) => {
    const { caseNo } = await book(world, 'stock', { dropOff: '300ms' })
    await world.statusWhen(caseNo, ({ overdue }) => overdue)
    await world.stopWorker()
    const handle = world.flows.handle(caseNo)
    const decided = Promise.allSettled(
      two.map((decision, index) => {
        const by = decision === 'extend' ? '14d' : null
        return handle.executeUpdate(decide, { args: [{ decision, by }], updateId: `decision-${index}` })
      }),
    )
    await world.restartWorker()
    const ends = (await decided).map(end => (end.status === 'fulfilled' ? 'decided' : end.reason.cause.type))
    expect(ends.sort()).toEqual(['NothingToDecide', 'decided'])
    const accepted = await acceptedIn(caseNo)
    await world.flows.cancel(caseNo, 'over')
    expect(accepted.filter(name => name === 'decide')).toHaveLength(1)
  },
)

test('a decision in the workflow task of the callback that completes the step is rejected', async () => {
  const { caseNo, shipment } = await book(world, 'issue', { pickUp: '300ms' })
  await world.open(shipment, 'deliveryCode')
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  const signals = async () =>
    (await eventsOf(world, caseNo)).filter(event => event.workflowExecutionSignaledEventAttributes).length
  const before = await signals()
  await world.stopWorker()
  await world.open(shipment, 'pickUpCode')
  await eventually(async () => (await signals()) > before)
  const handle = world.flows.handle(caseNo)
  const decided = handle.executeUpdate(decide, { args: [{ decision: 'cancel' }] }).catch(({ cause }) => cause.type)
  await world.restartWorker()
  expect(await decided).toBe('NothingToDecide')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
})

describe('an inapplicable decision', () => {
  test.each([
    ['while no window has passed', { decision: 'extend' }, 'NothingToDecide'],
    ['that is none', { decision: 'shrug' }, 'InvalidFlowInput'],
    ['with an invalid duration', { decision: 'extend', by: 'a while' }, 'InvalidFlowInput'],
  ])('%s is refused', async (_, decision, code) => {
    const { caseNo } = await book(world, 'stock')
    expect(await world.flows.decide(caseNo, decision as never)).toMatchObject({ kind: 'Refused', code })
    await world.flows.cancel(caseNo, 'over')
  })
})
