import { describe, expect, test } from 'vitest'
import { pass } from '../../../../testing/stack/wire.ts'
import { eventually } from '../../../support/eventually.ts'
import { book } from '../../../support/flows/booking.ts'
import { eventsOf } from '../../../support/flows/history.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

/** Milliseconds; polls at doubled intervals of an hour would come too late for these tests. */
const earlyPoll = 400

/** The usual first interval, before its jitter. Milliseconds. */
const hour = 3_600_000

const world = useWorld({ earlyPoll })

/** As if the service knew no address of callbacks. */
const unregistered = () => ({ kind: 'status', status: 204 }) as const

/** The durations of the timers of a flow, in milliseconds. */
async function timersOf(caseNo: string, place = world): Promise<number[]> {
  const events = await eventsOf(place, caseNo)
  return events.flatMap(({ timerStartedEventAttributes: timer }) => {
    const { seconds, nanos } = timer?.startToFireTimeout ?? {}
    return timer ? [Number(seconds ?? 0) * 1_000 + Number(nanos ?? 0) / 1_000_000] : []
  })
}

describe('while no callback has reached the worker', () => {
  test('a flow polls soon, and notices what no callback reports', async () => {
    world.toGateway.rule = unregistered
    const { caseNo, shipment } = await book(world, 'stock')
    await world.open(shipment, 'deliveryCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('a flow polls at growing intervals', async () => {
    world.toGateway.rule = unregistered
    const { caseNo } = await book(world, 'stock')
    const [first = 0, second = 0] = await eventually(async () => {
      const timers = await timersOf(caseNo)
      return timers.length > 1 ? timers : undefined
    })
    expect(first).toBeLessThanOrEqual(1.2 * earlyPoll)
    expect(second).toBeGreaterThan(first)
    expect(second).toBeLessThan(hour)
    await world.flows.cancel(caseNo, 'over')
  })
})

test('after its first callback a flow polls as usual, and so do the flows after it', async () => {
  await world.restartWorker()
  const called = await book(world, 'issue')
  await world.open(called.shipment, 'deliveryCode')
  await world.statusWhen(called.caseNo, ({ stage }) => stage === 'pickUp')
  await eventually(async () => (await timersOf(called.caseNo)).some(length => length > hour / 2))
  const later = await book(world, 'stock')
  const timers = await eventually(async () => {
    const timers = await timersOf(later.caseNo)
    return timers.length > 0 ? timers : undefined
  })
  expect(timers[0]).toBeGreaterThan(hour / 2)
  for (const { caseNo } of [called, later]) await world.flows.cancel(caseNo, 'over')
  await world.open(called.shipment, 'pickUpCode')
})

describe('polls that get no response', () => {
  const initial = 400
  const polling = useWorld({ pollInterval: { initial, maximum: 24 * hour } })

  test('do not make the interval grow, so that the flow notices soon that the service is back', async () => {
    polling.toGateway.rule = unregistered
    let reads = 0
    // The first read is that of the booking. The first poll may begin before the caller knows of the booking.
    polling.toService.rule = ({ path }) =>
      path.endsWith('GetShipments') && ++reads > 1 ? { kind: 'status', status: 404 } : pass
    const { caseNo, shipment } = await book(polling, 'stock')
    await eventually(() => reads > 5)
    // A repeated booking reads its shipment twice.
    const timers = await eventually(async () => {
      const timers = await timersOf(caseNo, polling)
      return timers.length > 3 ? timers : undefined
    })
    expect(Math.max(...timers)).toBeLessThanOrEqual(1.2 * initial)
    // A booking that could not be read back does not name the locker.
    const [item] = await polling.shipmentsOf(caseNo)
    await polling.open({ ...shipment, lockerName: item?.lockerName ?? null }, 'deliveryCode')
    polling.toService.rule = () => pass
    expect(await polling.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })
})
