import { describe, expect, test } from 'vitest'
import { type Duration, searchAttributes } from '#flows'
import { decide } from '#flows/messages'
import type { Simulation } from '#testing/simulator'
import { eventually } from '../../../support/eventually.ts'
import { book } from '../../../support/flows/booking.ts'
import { acceptedUpdates, eventsOf } from '../../../support/flows/history.ts'
import { holdResults } from '../../../support/simulator/heldResults.ts'
import { startOf, tell } from '../../../support/simulator/journeys.ts'
import { useSimulations } from '../../../support/simulator/useSimulations.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

const start = useSimulations()
const startWith = (flow: 'issue' | 'stock', windows: Record<string, Duration>, options = {}) =>
  start({ ...startOf(flow), windows }, options)
const waiting = { state: 'waiting', overdue: false }
const tooLate = { kind: 'refused', code: 'NothingToDecide' }

async function expectCompleted(simulation: Simulation, ...events: Parameters<typeof tell>[1]): Promise<void> {
  await tell(simulation, events)
  expect(simulation.run().outcome).toBe('completed')
}

describe('a window with the policy cancel', () => {
  test('ends the flow as expired, and frees the locker', async () => {
    const simulation = await startWith('issue', { dropOff: '48h' })
    await simulation.apply({ after: '48h' })
    expect(simulation.run()).toMatchObject({
      outcome: 'expired',
      bookings: [{ stateCode: 'Cancelled' }],
      leftOver: [],
    })
  })

  test('does not, if the item came in just before', async () => {
    const simulation = await startWith('issue', { dropOff: '48h' })
    await tell(simulation, [{ after: '47h' }, { dropOff: 'issue' }, { after: '2h' }])
    expect(simulation.status()).toMatchObject({ ...waiting, stage: 'pickUp' })
    await expectCompleted(simulation, { pickUp: 'issue' })
  })
})

describe('a window with the policy remind', () => {
  test('marks the flow overdue repeatedly, and the flow continues', async () => {
    const simulation = await startWith('stock', { dropOff: '1h' })
    const deadlines = []
    for (let passed = 0; passed < 2; passed++) {
      await simulation.apply({ after: '1h' })
      expect(simulation.status()).toMatchObject({ state: 'overdue', overdue: true, stage: 'dropOff' })
      deadlines.push(simulation.status().deadline)
    }
    expect(deadlines).toEqual([2, 3].map(hours => new Date(simulation.values.start + hours * 3_600_000).toISOString()))
    await expectCompleted(simulation, { dropOff: 'stock' })
  })

  test('keeps a decision that arrives during the last poll', async () => {
    const { delivery, hold, deliver } = holdResults()
    const simulation = await startWith('stock', { dropOff: '1h' }, { delivery })
    await simulation.apply({ after: '1h' })
    hold('readShipments')
    await tell(simulation, [{ after: '1h' }, { decide: 'extend', by: '14d' }])
    const { deadline } = simulation.status()
    await deliver(simulation)
    expect(simulation.status()).toMatchObject({ ...waiting, deadline })
    await expectCompleted(simulation, { dropOff: 'stock' })
  })

  test('takes no decision while the flow is being ended', async () => {
    const { delivery, hold, deliver } = holdResults()
    const simulation = await startWith('stock', { dropOff: '1h' }, { delivery })
    await simulation.apply({ after: '1h' })
    // The last poll holds up the loop of the flow.
    hold('readShipments')
    await tell(simulation, [{ after: '1h' }, { cancel: 'over' }])
    expect(await simulation.apply({ decide: 'extend', by: '14d' })).toMatchObject(tooLate)
    await deliver(simulation)
    expect(simulation.run().outcome).toBe('cancelled')
  })

  test('reminds no more once a person keeps it waiting', async () => {
    const simulation = await startWith('stock', { dropOff: '1h' })
    await tell(simulation, [{ after: '1h' }, { decide: 'keepWaiting' }, { after: '9h' }])
    expect(simulation.status()).toMatchObject({ ...waiting, deadline: null })
    await expectCompleted(simulation, { dropOff: 'stock' })
  })
})

describe('a window with the policy ask', () => {
  async function overdue() {
    const simulation = await startWith('issue', { pickUp: '48h' })
    await tell(simulation, [{ dropOff: 'issue' }, { after: '48h' }])
    expect(simulation.status()).toMatchObject({ state: 'overdue', stage: 'pickUp', deadline: null })
    return simulation
  }

  test('extended, it passes again', async () => {
    const simulation = await overdue()
    await simulation.apply({ decide: 'extend', by: '1h' })
    expect(simulation.status()).toMatchObject(waiting)
    await simulation.apply({ after: '1h' })
    expect(simulation.status().state).toBe('overdue')
    await expectCompleted(simulation, { pickUp: 'issue' })
  })

  test('kept waiting, it has no window any more', async () => {
    const simulation = await overdue()
    await simulation.apply({ decide: 'keepWaiting' })
    expect(simulation.status()).toMatchObject({ ...waiting, deadline: null })
    await expectCompleted(simulation, { pickUp: 'issue' })
  })

  test('cancelled, it leaves the item over', async () => {
    const simulation = await overdue()
    await simulation.apply({ decide: 'cancel' })
    const { outcome, bookings, leftOver } = simulation.run()
    const { shipmentUid, pupUid, lockerName } = bookings[0] ?? {}
    const reason = 'there is an item in the locker'
    expect(outcome).toBe('cancelled')
    expect(leftOver).toEqual([{ step: 'booking', shipmentUid, reason, pupUid, lockerName }])
  })

  test('collected before a decision, it completes', async () => expectCompleted(await overdue(), { pickUp: 'issue' }))
})

test.each([
  ['while no window has passed', { decide: 'extend' }, 'NothingToDecide'],
  ['that is none', { decide: 'shrug' }, 'InvalidFlowInput'],
  ['with an invalid duration', { decide: 'extend', by: 'a while' }, 'InvalidFlowInput'],
])('a decision %s is refused', async (_, decision, code) => {
  const simulation = await start(startOf('stock'))
  expect(await simulation.apply(decision as never)).toMatchObject({ kind: 'refused', code })
})

describe('on Temporal', () => {
  const world = useWorld()

  test('a flow whose window has passed is found by the query for overdue flows', async () => {
    const { caseNo } = await book(world, 'stock', { dropOff: '200ms' })
    const query = `${searchAttributes.overdue.name} = true AND ${searchAttributes.caseNo.name} = '${caseNo}'`
    await eventually(async () => {
      for await (const _ of world.client.workflow.list({ query })) return true
      return undefined
    })
    await world.flows.cancel(caseNo, 'over')
  })

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
      const accepted = await acceptedUpdates(world, caseNo)
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
})
