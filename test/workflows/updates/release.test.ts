import { describe, expect, test } from 'vitest'
import { withReference } from '#contract/terms'
import type { FlowDeclaration } from '#flows/declaration'
import type { Simulation, StoryEvent } from '#testing/simulator'
import { pass } from '../../../testing/stack/wire.ts'
import { startWith, type Underway } from '../../support/flows/underway.ts'
import { holdResults } from '../../support/simulator/heldResults.ts'
import { startOf, tell } from '../../support/simulator/journeys.ts'
import { type SimulatedTest, untilEnd, untilNextRun, useSimulations } from '../../support/simulator/useSimulations.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const start = useSimulations()

type Kept = 'collectByDispatcher' | 'collectByUser'

function startKept(flow: Kept = 'collectByUser', options: SimulatedTest = {}): Promise<Simulation> {
  const given = startOf(flow)
  return start({ ...given, request: { ...given.request, KeepBookedAfterPickUp: true } }, options)
}

const release: StoryEvent = { release: 'collect' }
const away: StoryEvent = { fail: { call: 'CancelShipment', fault: 'requestLost' } }
const back: StoryEvent = { recover: 'CancelShipment' }
const done = { kind: 'done' }
const released = { outcome: 'completed', bookings: [{ role: 'collect', stateCode: 'Cancelled' }], leftOver: [] }
const nothingToRelease = (message: string) => ({
  kind: 'refused',
  code: 'NothingToRelease',
  message: withReference('NothingToRelease', message),
})
const inside = 'there is an item in the locker'

const uidOf = (simulation: Simulation) => simulation.status().shipments[0]?.shipmentUid ?? ''

describe.each<Kept>(['collectByDispatcher', 'collectByUser'])('a booking of %s that is kept', flow => {
  test('has no window, is collected again and again, and is released', async () => {
    const simulation = await startKept(flow)
    const kept = { state: 'waiting', stage: 'kept', overdue: false, deadline: null }
    expect(simulation.status()).toMatchObject(kept)
    await tell(simulation, [{ pickUp: 'collect' }, { pickUp: 'collect' }, { after: '30d' }])
    expect(simulation.status()).toMatchObject({ ...kept, shipments: [{ stateCode: 'ReadyForPickup' }] })
    expect(await simulation.apply(release)).toEqual(done)
    expect(simulation.run()).toMatchObject(released)
    const { items } = await simulation.call('GetShipments', {})
    expect(items).toMatchObject([{ stateCode: 'Cancelled' }])
  })
})

describe('a callback for a kept booking', () => {
  const at = { stateStart: '2999-01-01T00:00:00.000' }

  test('that it is still ready changes nothing', async () => {
    const simulation = await startKept()
    const before = simulation.status()
    await simulation.signal({ shipmentUid: uidOf(simulation), stateCode: 'ReadyForPickup', ...at })
    expect(simulation.status()).toEqual(before)
  })

  test('that the service has completed it completes the flow', async () => {
    const simulation = await startKept()
    await simulation.signal({ shipmentUid: uidOf(simulation), stateCode: 'Completed', ...at })
    expect(simulation.run()).toMatchObject({ outcome: 'completed', bookings: [{ stateCode: 'Completed' }] })
  })

  test('that it was cancelled at the service ends the flow as cancelled', async () => {
    const simulation = await startKept()
    await simulation.apply({ cancelShipment: 'collect' })
    expect(simulation.run()).toMatchObject({ outcome: 'cancelled', leftOver: [] })
  })

  test('nothing, if a cancellation was not reported: the release finds the locker free', async () => {
    const simulation = await startKept()
    await tell(simulation, [{ loseCallbacks: 'collect' }, { cancelShipment: 'collect' }, release])
    expect(simulation.run()).toMatchObject(released)
  })
})

test('cancelling leaves a kept booking over, since it may hold an item', async () => {
  const simulation = await startKept()
  const leftOver = [{ step: 'booking', shipmentUid: uidOf(simulation), reason: inside }]
  await simulation.apply({ cancel: 'over' })
  expect(simulation.run()).toMatchObject({ outcome: 'cancelled', leftOver })
})

test('a kept booking outlives a long history, and is released then', async () => {
  const simulation = await startKept('collectByUser', { suggestedAt: 60 })
  const before = simulation.status()
  await untilNextRun(simulation)
  expect(simulation.status()).toEqual(before)
  await simulation.apply(release)
  expect(simulation.run()).toMatchObject(released)
})

test.each(['kept', 'collect'])('a window for %s is refused', async stage => {
  const request = { ...parcel, KeepBookedAfterPickUp: true }
  const simulation = await start({ flow: 'collectByDispatcher', request, windows: { [stage]: '3d' } })
  const message = withReference('InvalidFlowInput', `windows: must only name booking, got ${stage}.`)
  expect(simulation.run()).toMatchObject({ outcome: 'failed', code: 'InvalidFlowInput', message, bookings: [] })
})

const booking = {
  name: 'booking',
  summary: 'A locker is booked.',
  book: 'CreateCollectOnlyShipmentAsCollectByDispatcher',
  as: { collect: 'locker' },
} as const
const kept = {
  name: 'kept',
  summary: 'The locker stays booked.',
  wait: { locker: 'Completed' },
  window: '10m',
  onTimeout: 'cancel',
  completedBy: { update: 'release', role: 'locker' },
} as const
const pause = { name: 'pause', summary: 'The parcel is on its way.', sleep: '1h' } as const

const shortlyKept: FlowDeclaration = {
  name: 'shortlyKept',
  summary: 'A locker is kept until it is released, at most for ten minutes.',
  steps: [booking, kept],
}
const keptFirst: FlowDeclaration = {
  name: 'keptFirst',
  summary: 'A locker is kept until it is released, and then time passes.',
  steps: [booking, { ...kept, window: '1h', onTimeout: 'remind' }, pause],
}
const keptShortly: FlowDeclaration = {
  name: 'keptShortly',
  summary: 'The same, at most for ten minutes.',
  steps: [booking, kept, pause],
}

describe('a release at the end of a window', () => {
  /** Starts the flow. The response to its read at the end of its window is on its way. */
  async function readAtEnd() {
    const { delivery, hold, deliver } = holdResults()
    const request = { ...parcel, KeepBookedAfterPickUp: true }
    const simulation = await start({ flow: 'shortlyKept', request }, { flows: { shortlyKept }, delivery })
    expect(simulation.status().stage).toBe('kept')
    hold('readShipments')
    await simulation.apply({ after: '10m' })
    return { simulation, deliver: () => deliver(simulation) }
  }

  test('counts if it arrives while the flow reads its shipments once more', async () => {
    const { simulation, deliver } = await readAtEnd()
    expect(await simulation.apply({ release: 'locker' })).toEqual(done)
    expect(simulation.hasEnded).toBe(false)
    await deliver()
    expect(simulation.run()).toMatchObject({
      outcome: 'completed',
      bookings: [{ stateCode: 'Cancelled' }],
      leftOver: [],
    })
  })

  test('is refused if the flow was cancelled while it reads its shipments', async () => {
    const { simulation, deliver } = await readAtEnd()
    await simulation.apply({ cancel: 'over' })
    expect(await simulation.apply({ release: 'locker' })).toEqual(nothingToRelease('The flow is being cancelled.'))
    await deliver()
    expect(simulation.run()).toMatchObject({ outcome: 'cancelled', leftOver: [{ reason: inside }] })
  })

  test('ends the flow if the shipment is completed after it, and the read finds that', async () => {
    const request = { ...parcel, KeepBookedAfterPickUp: false }
    const simulation = await start({ flow: 'keptShortly', request }, { flows: { keptShortly } })
    const unread: StoryEvent = { fail: { call: 'GetShipments', fault: 'requestLost' } }
    await tell(simulation, [unread, { after: '10m' }, { loseCallbacks: 'locker' }])
    expect(await simulation.apply({ release: 'locker' })).toEqual(done)
    await tell(simulation, [{ pickUp: 'locker' }, { recover: 'GetShipments' }])
    expect(simulation.hasEnded).toBe(false)
    await untilEnd(simulation)
    expect(simulation.run()).toMatchObject({
      outcome: 'completed',
      bookings: [{ stateCode: 'Completed' }],
      leftOver: [],
    })
    expect(simulation.now - simulation.values.start).toBeLessThan(15 * 60_000)
  })
})

test('a release in the task of the callback that completes the shipment is refused: the flow goes on', async () => {
  const request = { ...parcel, KeepBookedAfterPickUp: false }
  let together = false
  const simulation = await start(
    { flow: 'keptFirst', request },
    {
      flows: { keptFirst },
      // The worker is away until both have arrived.
      delivery: arrived => (together && arrived.length < 2 ? [] : [...arrived.keys()]),
    },
  )
  together = true
  await simulation.apply({ pickUp: 'locker' })
  expect(simulation.status().stage).toBe('kept')
  expect(await simulation.apply({ release: 'locker' })).toMatchObject({ code: 'NothingToRelease' })
  together = false
  expect(simulation.status()).toMatchObject({ state: 'waiting', stage: 'pause' })
})

describe('a release is refused', () => {
  test('when the booking is not kept', async () => {
    const simulation = await start(startOf('collectByDispatcher'))
    expect(await simulation.apply(release)).toEqual(
      nothingToRelease('The flow keeps no booking that could be released.'),
    )
    expect(simulation.status().stage).toBe('collect')
  })

  test('by a flow that never keeps one', async () => {
    const simulation = await start(startOf('stock'))
    expect(await simulation.apply(release)).toMatchObject({ code: 'NothingToRelease' })
  })

  test('before the booking', async () => {
    const book = 'CreateCollectOnlyShipmentAsCollectByUser'
    const simulation = await startKept('collectByUser', { faults: [{ book, times: 2, fault: 'requestLost' }] })
    expect(await simulation.apply(release)).toEqual(nothingToRelease('The flow is not booked yet.'))
    await simulation.apply({ after: '1m' })
    expect(simulation.status().stage).toBe('kept')
  })
})

describe('while the service cannot be reached', () => {
  test('a release waits, and frees the locker afterwards', async () => {
    const simulation = await startKept()
    await tell(simulation, [away, release, { after: '5s' }])
    expect(simulation.status().state).toBe('cleaningUp')
    await simulation.apply(back)
    await untilEnd(simulation)
    expect(simulation.run()).toMatchObject(released)
  })

  test('a release wins against a later cancellation', async () => {
    const simulation = await startKept()
    await tell(simulation, [away, release, { cancel: 'over' }, back])
    await untilEnd(simulation)
    const run = simulation.run()
    expect(run).toMatchObject(released)
    const ends = run.timeLine.filter(entry => entry.kind === 'updateCompleted')
    const result = { outcome: 'completed', leftOver: [] }
    expect(ends.slice(-2)).toMatchObject([
      { update: 'release', result },
      { update: 'cancel', result },
    ])
  })
})

test('a release whose response is lost is found to be done', async () => {
  const simulation = await startKept()
  await tell(simulation, [{ fail: { call: 'CancelShipment', times: 1, fault: 'responseLost' } }, release])
  await untilEnd(simulation)
  expect(simulation.run()).toMatchObject(released)
})

test('a shipment that the service refuses to cancel is left over, and the flow completes', async () => {
  const simulation = await startKept()
  const leftOver = [{ step: 'booking', shipmentUid: uidOf(simulation), reason: 'the service refused: SomethingElse' }]
  await tell(simulation, [{ fail: { call: 'CancelShipment', code: 'SomethingElse' } }, release])
  expect(simulation.run()).toMatchObject({
    outcome: 'completed',
    bookings: [{ stateCode: 'ReadyForPickup' }],
    leftOver,
  })
})

describe('on Temporal', () => {
  const world = useWorld()

  async function keep(): Promise<Underway> {
    return startWith(world, 'collectByDispatcher', { ...parcel, KeepBookedAfterPickUp: true })
  }

  test('a caller gets the result, and later ones learn that the flow has ended, or is unknown', async () => {
    const { caseNo } = await keep()
    expect(await world.flows.release(caseNo)).toEqual({ kind: 'Released', outcome: 'completed', leftOver: [] })
    expect(await world.flows.release(caseNo)).toMatchObject({ kind: 'Refused', code: 'FlowEnded' })
    expect(await world.flows.release('nothing')).toMatchObject({ kind: 'UnknownCase', caseNo: 'nothing' })
  })

  test('a caller that times out gets a pending result, and the release continues', async () => {
    const { caseNo } = await keep()
    world.toService.rule = ({ path }) => (path.endsWith('CancelShipment') ? { kind: 'cut' } : pass)
    expect(await world.flows.release(caseNo, { timeout: 5_000 })).toMatchObject({ kind: 'ReleasePending', caseNo })
    world.toService.rule = () => pass
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('if a release and a cancellation arrive together, the first wins, and both callers get the same result', async () => {
    const { caseNo, shipments } = await keep()
    await world.stopWorker()
    const release = world.flows.release(caseNo)
    const cancel = world.flows.cancel(caseNo, 'over')
    await world.restartWorker()
    const [first, second] = [await release, await cancel]
    if (first.kind === 'Released') {
      expect([first, second]).toMatchObject([{ outcome: 'completed' }, { outcome: 'completed' }])
      expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
    } else {
      expect([first, second]).toMatchObject([{ code: 'NothingToRelease' }, { outcome: 'cancelled' }])
      expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: shipments[0]?.stateCode }])
    }
  })
})
