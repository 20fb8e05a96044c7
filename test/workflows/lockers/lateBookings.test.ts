import { describe, expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import { type LateBookings, toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { type Handling, pass } from '../../../testing/stack/wire.ts'
import { eventually, gate } from '../../support/eventually.ts'
import { eventsOf } from '../../support/flows/history.ts'
import { sweepCase } from '../../support/flows/orphans.ts'
import { requireRole, startFor, type Underway, walk } from '../../support/flows/underway.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld({ profile: { ...fullProfile, idempotent: false } })

/** Enum value of the Temporal API. */
const abandon = 2

type Event = Awaited<ReturnType<typeof eventsOf>>[number]

/** The sweep that a flow has left behind. */
async function sweepOf({ caseNo }: Underway, place = world) {
  const events = await eventsOf(place, caseNo)
  const started = events.flatMap(({ startChildWorkflowExecutionInitiatedEventAttributes: child }) => child ?? [])
  expect(started).toMatchObject([{ workflowType: { name: 'sweep' }, parentClosePolicy: abandon }])
  const data = started[0]?.input?.payloads?.[0]?.data
  return JSON.parse(new TextDecoder().decode(data ?? undefined))
}

/** A create of the case that reaches the service after the end of the flow. */
async function bookLate({ caseNo, flow }: Underway, place = world): Promise<string> {
  const details = { Details: { ReferenceCaseNo: caseNo } }
  const booked =
    flow !== 'collectByDispatcher'
      ? await place.api.call('CreateLocalShipmentAsStock', { ...parcel, ...details })
      : await place.api.call('CreateCollectOnlyShipmentAsCollectByDispatcher', {
          ...parcel,
          ...details,
          KeepBookedAfterPickUp: false,
        })
  place.cases.set(caseNo, 2)
  return booked.shipmentUids[0] ?? ''
}

async function stateOf(shipmentUid: string, place = world) {
  const { items } = await place.api.call('GetShipments', { shipmentUid })
  return items[0]?.stateCode
}

const withoutDelay = (late: LateBookings) => ({ ...late, delay: 1 })

describe.each(['stock', 'collectByDispatcher'] as const)(
  'a flow %s that ends while a create can still be late',
  flow => {
    test('leaves a sweep behind, which cancels the late booking and nothing else', async () => {
      const underway = await startFor(world, flow)
      await walk(world, underway)
      expect(await world.flows.result(underway.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
      const known = underway.shipments.map(({ shipmentUid }) => shipmentUid)
      const left = await sweepOf(underway)
      expect(left).toEqual({
        act: 'cancel',
        olderThan: 0,
        caseNo: underway.caseNo,
        late: { delay: expect.any(Number), known, runId: expect.any(String) },
      })
      expect(left.late.delay).toBeGreaterThan(60_000)
      const late = await bookLate(underway)
      const before = await stateOf(known[0] ?? '')
      const swept = await sweepCase(world, underway.caseNo, { ...left, late: withoutDelay(left.late) })
      expect(swept?.shipments).toMatchObject([{ shipmentUid: late, stateCode: 'Cancelled' }])
      expect([await stateOf(late), await stateOf(known[0] ?? '')]).toEqual(['Cancelled', before])
    })
  },
)

/** Runs the sweep that a flow has left behind, after a late create. */
async function expectLateBookingCancelled(underway: Underway): Promise<void> {
  const left = await sweepOf(underway)
  const late = await bookLate(underway)
  const swept = await sweepCase(world, underway.caseNo, { ...left, late: withoutDelay(left.late) })
  expect(swept?.shipments).toMatchObject([{ shipmentUid: late, stateCode: 'Cancelled' }])
  expect(await stateOf(late)).toBe('Cancelled')
}

test('a flow that is cancelled while a create can still be late leaves a sweep behind', async () => {
  const underway = await startFor(world, 'stock')
  expect(await world.flows.cancel(underway.caseNo, 'over')).toMatchObject({ outcome: 'cancelled' })
  await expectLateBookingCancelled(underway)
})

test('a flow whose window passes while a create can still be late leaves a sweep behind', async () => {
  const underway = await startFor(world, 'issue', undefined, { dropOff: '300ms' })
  expect(await world.flows.result(underway.caseNo)).toMatchObject({ result: { outcome: 'expired' } })
  await expectLateBookingCancelled(underway)
})

describe('a flow whose last possible create is over', () => {
  const quick = useWorld({ profile: { ...fullProfile, idempotent: false }, createDelay: 1 })

  test('leaves a sweep behind if its last search fails', async () => {
    const underway = await startFor(quick, 'stock')
    quick.toService.rule = ({ path, body }) =>
      path.endsWith('GetShipments') && body.includes(underway.caseNo)
        ? { kind: 'answer', body: { success: false, error: 'AccessDenied', message: null } }
        : pass
    await walk(quick, underway)
    expect(await quick.flows.result(underway.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    expect((await sweepOf(underway, quick)).late).toEqual({
      // The flow must have ended by then.
      delay: 10_000,
      known: underway.shipments.map(({ shipmentUid }) => shipmentUid),
      runId: expect.any(String),
    })
  })

  test('leaves a booking alone that was made after the last possible create', async () => {
    const underway = await startFor(quick, 'stock')
    const other = await bookLate(underway, quick)
    await walk(quick, underway)
    expect(await quick.flows.result(underway.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    const searches = quick.toService.passings.filter(
      ({ path, body }) => path.endsWith('GetShipments') && body.includes(underway.caseNo),
    )
    expect(searches).not.toEqual([])
    expect(await stateOf(other, quick)).toBe('ReadyForDropOff')
  })
})

describe('a flow whose last search comes after the last possible create', () => {
  // The service dates the late booking to a moment before the last possible create.
  const clock = () => Date.now() - 60_000
  const behind = useWorld({ service: { clock }, profile: { ...fullProfile, idempotent: false }, createDelay: 1 })

  test('cancels a booking that was made before it', async () => {
    const underway = await startFor(behind, 'stock')
    const late = await bookLate(underway, behind)
    await walk(behind, underway)
    expect(await behind.flows.result(underway.caseNo)).toMatchObject({
      result: { outcome: 'completed', leftOver: [] },
    })
    expect(await stateOf(late, behind)).toBe('Cancelled')
  })
})

describe('a flow whose second booking is under way', () => {
  const polling = useWorld({
    profile: { ...fullProfile, idempotent: false },
    pollInterval: { initial: 200, maximum: 200 },
  })
  const twoParcels = {
    name: 'twoParcels',
    summary: 'A parcel for the stock and one for a user are brought.',
    input: { userUid: 'uid' },
    steps: [
      {
        name: 'stockBooking',
        summary: 'A locker is booked.',
        book: 'CreateLocalShipmentAsStock',
        request: parcel,
        as: { stock: 'stored' },
      },
      {
        name: 'issueBooking',
        summary: 'A locker is booked.',
        book: 'CreateLocalShipmentAsIssue',
        request: { ...parcel, ToUserUid: { from: 'input.userUid' } },
        as: { issue: 'issued' },
      },
      {
        name: 'dropOff',
        summary: 'Both parcels are brought.',
        wait: { stored: 'WaitForReceiver', issued: 'ReadyForPickup' },
        window: '1h',
        onTimeout: 'cancel',
      },
    ],
  } as const satisfies FlowDeclaration

  test('does not take it for a duplicate of the first', async () => {
    await polling.restartWorker({ flows: [twoParcels] })
    const caseNo = polling.newCase(2)
    const responds = gate()
    polling.toService.rule = ({ path }) =>
      path.endsWith('AsIssue') ? { kind: 'answerLater', until: responds.opened } : pass
    const options = { workflowId: toWorkflowId(caseNo), taskQueue: polling.taskQueue }
    const args = [{ caseNo, request: { userUid: polling.userUid } }]
    await polling.client.workflow.start('twoParcels', { ...options, args })
    await eventually(async () => (await polling.shipmentsOf(caseNo)).length === 2)
    const reads = () => polling.toService.passings.filter(({ path }) => path.endsWith('GetShipments')).length
    const before = reads()
    await eventually(() => reads() > before + 5)
    responds.open()
    await polling.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
    const states = (await polling.shipmentsOf(caseNo)).map(({ stateCode }) => stateCode)
    expect(states).toEqual(['ReadyForDropOff', 'ReadyForDropOff'])
    await polling.flows.cancel(caseNo, 'over')
  })
})

const fallback = {
  name: 'fallback',
  summary: 'A parcel is stored, or brought to a user.',
  steps: [
    {
      name: 'issueBooking',
      summary: 'A locker is booked.',
      book: 'CreateLocalShipmentAsIssue',
      request: { ...parcel, ToUserUid: 'nobody' },
      onError: { InvalidUserUid: { goTo: 'stockBooking' } },
    },
    {
      name: 'bringing',
      summary: 'The parcel is brought.',
      wait: { issue: 'ReadyForPickup' },
      window: '1h',
      onTimeout: 'cancel',
    },
    {
      name: 'stockBooking',
      summary: 'A locker is booked.',
      book: 'CreateLocalShipmentAsStock',
      request: parcel,
    },
    {
      name: 'dropOff',
      summary: 'The parcel is stored.',
      wait: { stock: 'WaitForReceiver' },
      window: '1h',
      onTimeout: 'cancel',
    },
  ],
} as const satisfies FlowDeclaration

describe('a flow whose first booking was refused, and that went on', () => {
  const other = useWorld({ profile: { ...fullProfile, idempotent: false } })
  test('leaves a sweep behind for the second one when it completes', async () => {
    await other.restartWorker({ flows: [fallback] })
    const caseNo = other.newCase()
    const options = { workflowId: toWorkflowId(caseNo), taskQueue: other.taskQueue }
    await other.client.workflow.start('fallback', { ...options, args: [{ caseNo, request: {} }] })
    const { shipments } = await other.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
    await other.open(requireRole(shipments, 'stock'), 'deliveryCode')
    expect(await other.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    const { late } = await sweepOf({ flow: 'stock', caseNo, shipments }, other)
    expect(late.known).toEqual(shipments.map(({ shipmentUid }) => shipmentUid))
  })
})

describe('a flow that goes on after a refusal, with an attempt without a response before it', () => {
  const slow = useWorld({ profile: { ...fullProfile, idempotent: false }, createDelay: 60_000 })
  const [issueBooking, ...others] = fallback.steps
  const isSearch = ({ activityTaskScheduledEventAttributes: scheduled }: Event) =>
    scheduled?.activityType?.name === 'findBookings'
  const toUser = { ...parcel, ToUserUid: { from: 'input.userUid' } } as const
  const fallbackOfUser: FlowDeclaration = {
    ...fallback,
    name: 'fallbackOfUser',
    input: { userUid: 'uid' },
    steps: [{ ...issueBooking, request: toUser }, ...others],
  }

  test('undoes the booking of that attempt, and does not end with it', async () => {
    await slow.restartWorker({ flows: [fallbackOfUser] })
    const caseNo = slow.newCase(2)
    let attempts = 0
    slow.toService.rule = ({ path, body }) => {
      if (!path.endsWith('AsIssue') || !body.includes(caseNo)) return pass
      const refusal = { success: false, error: 'InvalidUserUid', message: null }
      return ++attempts === 1 ? { kind: 'cut' } : { kind: 'answer', body: refusal }
    }
    const options = { workflowId: toWorkflowId(caseNo), taskQueue: slow.taskQueue }
    const args = [{ caseNo, request: { userUid: slow.userUid } }]
    await slow.client.workflow.start('fallbackOfUser', { ...options, args })
    // Before that, the attempt that is refused would still take the late booking for its own.
    await eventually(async () => (await eventsOf(slow, caseNo)).some(isSearch))
    slow.toService.rule = () => pass
    const late = { ...parcel, ToUserUid: slow.userUid, Details: { ReferenceCaseNo: caseNo } }
    const { shipmentUids } = await slow.api.call('CreateLocalShipmentAsIssue', late)
    const status = await slow.statusWhen(caseNo, ({ stage, state }) => stage === 'dropOff' || state === 'ended')
    expect(status).toMatchObject({ stage: 'dropOff', shipments: [{ role: 'stock' }] })
    const { items } = await slow.api.call('GetShipments', { shipmentUid: shipmentUids[0] ?? '' })
    expect(items).toMatchObject([{ stateCode: 'Cancelled' }])
    await slow.flows.cancel(caseNo, 'over')
  })
})

describe('a flow that searches late bookings while the service is away', () => {
  const polling = useWorld({
    profile: { ...fullProfile, idempotent: false },
    pollInterval: { initial: 200, maximum: 200 },
  })

  test('hears of its cancellation, and leaves a sweep behind', async () => {
    const underway = await startFor(polling, 'stock')
    const { caseNo } = underway
    let searches = 0
    polling.toService.rule = ({ path, body }) => {
      if (!path.endsWith('GetShipments')) return pass
      if (body.includes(caseNo)) searches++
      return { kind: 'cut' }
    }
    await eventually(() => searches > 0)
    const cancelled = polling.flows.cancel(caseNo, 'over')
    await polling.statusWhen(caseNo, ({ state }) => state === 'cleaningUp' || state === 'ended')
    polling.toService.rule = () => pass
    expect(await cancelled).toMatchObject({ kind: 'Cancelled', outcome: 'cancelled' })
    expect((await sweepOf(underway, polling)).late.delay).toBeGreaterThan(60_000)
  })
})

describe('a flow whose booking is given up', () => {
  const giveUp = { kind: 'Refused', code: 'BookingGivenUp' }

  /** The fates of the first create of the case, and of the reads after it. No later create reaches the service. */
  function meet(caseNo: string, create: Handling, read: () => Handling): void {
    let hasCreated = false
    world.toService.rule = ({ path, body }) => {
      if (!body.includes(caseNo)) return pass
      if (path.endsWith('GetShipments')) return hasCreated ? read() : pass
      if (!path.includes('/CreateLocal')) return pass
      if (hasCreated) return { kind: 'cut' }
      hasCreated = true
      return create
    }
  }

  test('leaves a sweep behind if it has found a booking, since another create can still be late', async () => {
    const underway: Underway = { flow: 'stock', caseNo: world.newCase(2), shipments: [] }
    const { caseNo } = underway
    let isAway = true
    meet(caseNo, { kind: 'loseAnswer' }, () => (isAway ? { kind: 'cut' } : pass))
    const input = { caseNo, request: parcel, windows: { booking: '10s' } } as const
    expect(await world.flows.startAndWaitForBooking('stock', input)).toMatchObject(giveUp)
    isAway = false
    expect(await world.flows.result(caseNo)).toMatchObject(giveUp)
    expect((await world.shipmentsOf(caseNo)).map(({ stateCode }) => stateCode)).toEqual(['Cancelled'])
    world.toService.rule = () => pass
    await expectLateBookingCancelled(underway)
  })

  test('does not end while its create is under way, and cancels what that books', async () => {
    const caseNo = world.newCase()
    const arrives = gate()
    let searches = 0
    meet(caseNo, { kind: 'arriveLater', until: arrives.opened }, () => {
      searches++
      return pass
    })
    await world.flows.start('stock', { caseNo, request: parcel, windows: { booking: '10s' } })
    await world.statusWhen(caseNo, ({ state }) => state === 'cleaningUp')
    await eventually(() => searches > 0)
    arrives.open()
    expect(await world.flows.result(caseNo)).toMatchObject(giveUp)
    expect((await world.shipmentsOf(caseNo)).map(({ stateCode }) => stateCode)).toEqual(['Cancelled'])
  })
})

test('the sweep that a flow leaves behind leaves a case alone whose flow runs', async () => {
  const { caseNo, shipments } = await startFor(world, 'stock')
  const late = { delay: 1, known: [] }
  expect(await sweepCase(world, caseNo, { act: 'cancel', olderThan: 0, late })).toBeUndefined()
  expect(await stateOf(shipments[0]?.shipmentUid ?? '')).toBe('ReadyForDropOff')
  await world.flows.cancel(caseNo, 'over')
})

test('a sweep of an operator finds a late booking of a completed flow, and not its outputs', async () => {
  const underway = await startFor(world, 'stock')
  await walk(world, underway)
  await world.flows.result(underway.caseNo)
  const late = await bookLate(underway)
  const swept = await sweepCase(world, underway.caseNo, { act: 'cancel' })
  expect(swept).toMatchObject({
    reason: 'booked without the knowledge of its flow',
    shipments: [{ shipmentUid: late, stateCode: 'Cancelled' }],
  })
  const states = (await world.shipmentsOf(underway.caseNo)).map(({ stateCode }) => stateCode)
  expect(states.toSorted()).toEqual(['Cancelled', 'WaitForReceiver'])
})
