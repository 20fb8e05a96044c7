import { once } from 'node:events'
import { expect, test } from 'vitest'
import { withReference } from '#contract/terms'
import { pass, type Rule } from '../../../../testing/stack/wire.ts'
import { eventually, gate } from '../../../support/eventually.ts'
import { book, requestOf } from '../../../support/flows/booking.ts'
import { eventsOf, wasDelayed } from '../../../support/flows/history.ts'
import { measureSlowness } from '../../../support/slowness.ts'
import { parcel } from '../../../support/world/apiWorld.ts'
import { useWorld } from '../../../support/world/useWorld.ts'
import { startProcess } from '../../../support/world/workerProcess.ts'

const world = useWorld()

/** Creates of one case are handled by a rule; everything else passes. */
function creates(caseNo: string, handling: Rule): Rule {
  return passing => (passing.path.includes('/CreateLocal') && passing.body.includes(caseNo) ? handling(passing) : pass)
}

function createsOf(caseNo: string): number {
  return world.toService.passings.filter(({ path, body }) => path.includes('/CreateLocal') && body.includes(caseNo))
    .length
}

test('a booking whose response is lost is made once', async () => {
  const caseNo = world.newCase()
  let lost = 0
  world.toService.rule = creates(caseNo, () => (lost++ < 2 ? { kind: 'loseAnswer' } : pass))
  const booking = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
  expect(booking).toMatchObject({ kind: 'Booked' })
  expect(createsOf(caseNo)).toBeGreaterThan(2)
  await world.flows.cancel(caseNo, 'over')
})

test.each([500, 503, 429])('a service that returns %d for a while is retried', async status => {
  const caseNo = world.newCase()
  let refused = 0
  world.toService.rule = creates(caseNo, () => (refused++ < 2 ? { kind: 'status', status } : pass))
  const booking = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
  expect(booking).toMatchObject({ kind: 'Booked' })
  await world.flows.cancel(caseNo, 'over')
})

test.each(['InternalError', 'ServiceUnavailable', 'TooManyRequests'])(
  'a service that returns HTTP 200 and the code %s for a while is retried',
  async error => {
    const caseNo = world.newCase()
    const answer = { kind: 'answer', body: { success: false, error, message: null } } as const
    let refused = 0
    world.toService.rule = creates(caseNo, () => (refused++ < 2 ? answer : pass))
    expect(await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })).toMatchObject({
      kind: 'Booked',
    })
    // So is the cancellation: its locker would stay booked.
    let kept = 0
    world.toService.rule = ({ path }) => (path.endsWith('CancelShipment') && kept++ < 2 ? answer : pass)
    expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ kind: 'Cancelled', leftOver: [] })
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
  },
)

test.each([
  ['no wait', '0'],
  ['a date that has passed', 'Thu, 01 Jan 2026 00:00:00 GMT'],
])('a service whose Retry-After names %s is retried', async (_, retryAfter) => {
  const caseNo = world.newCase()
  let refused = 0
  const busy = { kind: 'status', status: 503, headers: { 'retry-after': retryAfter } } as const
  world.toService.rule = creates(caseNo, () => (refused++ < 3 ? busy : pass))
  const booking = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
  expect(booking).toMatchObject({ kind: 'Booked' })
  await world.flows.cancel(caseNo, 'over')
})

test('a service that is unavailable for one flow does not delay another', async () => {
  const caseNo = world.newCase()
  const back = gate()
  world.toService.rule = creates(caseNo, () => ({ kind: 'arriveLater', until: back.opened }))
  await world.flows.start('stock', { caseNo, request: parcel })
  await eventually(() => createsOf(caseNo) > 0)
  // The first attempt ends after two seconds; from then on the patient one waits.
  await eventually(() => createsOf(caseNo) > 1)
  const bookAnother = async () => {
    const slowness = measureSlowness()
    const start = performance.now()
    const other = await book(world, 'stock')
    const took = (performance.now() - start) / slowness()
    const isDelayed = await wasDelayed(world, other.caseNo)
    await world.flows.cancel(other.caseNo, 'over')
    return isDelayed ? undefined : took
  }
  expect(await eventually(bookAnother)).toBeLessThan(2_000)
  back.open()
  expect(await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })).toMatchObject({
    kind: 'Booked',
  })
  await world.flows.cancel(caseNo, 'over')
})

test('a booking without a response within its window is abandoned, and its late shipments are cancelled', async () => {
  const caseNo = world.newCase()
  world.toService.rule = creates(caseNo, () => ({ kind: 'loseAnswer' }))
  const input = { caseNo, request: parcel, windows: { booking: '1s' } } as const
  expect(await world.flows.startAndWaitForBooking('stock', input)).toMatchObject({
    kind: 'Refused',
    code: 'BookingGivenUp',
    message: withReference('BookingGivenUp', 'No response within the booking window: NoResponse.'),
  })
  world.toService.rule = () => pass
  expect(await world.flows.result(caseNo)).toMatchObject({ kind: 'Refused', code: 'BookingGivenUp' })
  expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
})

test('a booking whose first attempt outlasts its window is tried once more, and then abandoned', async () => {
  const caseNo = world.newCase()
  const { opened, open } = gate()
  let attempts = 0
  world.toService.rule = creates(caseNo, () =>
    ++attempts === 1 ? { kind: 'answerLater', until: opened } : { kind: 'cut' },
  )
  const input = { caseNo, request: parcel, windows: { booking: '1s' } } as const
  expect(await world.flows.startAndWaitForBooking('stock', input)).toMatchObject({
    kind: 'Refused',
    code: 'BookingGivenUp',
  })
  // Its window has at least a second left, which a busy machine can need before the request is sent.
  const again = (await eventsOf(world, caseNo)).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled?.activityType?.name === 'bookShipments' ? scheduled : [],
  )
  expect(Number(again[0]?.scheduleToCloseTimeout?.seconds)).toBe(1)
  await eventually(() => attempts > 1)
  open()
  world.toService.rule = () => pass
  expect(await world.flows.result(caseNo)).toMatchObject({ kind: 'Refused', code: 'BookingGivenUp' })
  expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
})

test('a refusal after a lost response does not leak the booking of the first attempt', async () => {
  const caseNo = world.newCase()
  let attempts = 0
  world.toService.rule = creates(caseNo, () => {
    attempts++
    return attempts === 1 ? { kind: 'loseAnswer' } : attempts === 2 ? { kind: 'status', status: 404 } : pass
  })
  expect(await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })).toMatchObject({
    kind: 'Refused',
  })
  expect(await world.flows.result(caseNo)).toMatchObject({ kind: 'Refused' })
  expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
})

test('a booking that cannot be read back still counts as made', async () => {
  world.toService.rule = ({ path }) => (path.includes('/GetShipments') ? { kind: 'status', status: 404 } : pass)
  const caseNo = world.newCase()
  const booked = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
  expect(booked).toMatchObject({ kind: 'Booked', shipments: [{ role: 'stock', stateCode: 'ReadyForDropOff' }] })
  world.toService.rule = () => pass
  await world.flows.cancel(caseNo, 'over')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'cancelled', leftOver: [] } })
  expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
})

test('twenty callers that wait for a booking do not prevent its cancellation', async () => {
  const caseNo = world.newCase()
  world.toService.rule = creates(caseNo, () => ({ kind: 'status', status: 503 }))
  const wait = () => world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel }, { timeout: 30_000 })
  const waiting = Array.from({ length: 20 }, wait)
  await world.statusWhen(caseNo, ({ rejections }) => rejections.length > 0)
  const cancelled = world.flows.cancel(caseNo, 'over')
  // Only then does the service come back, so that no caller can be told of a booking.
  const early = cancelled.then(answer => expect.fail(`answered before the end: ${JSON.stringify(answer)}`))
  await Promise.race([early, world.statusWhen(caseNo, ({ state }) => state === 'cleaningUp')])
  world.toService.rule = () => pass
  expect(await cancelled).toMatchObject({ kind: 'Cancelled' })
  for (const answer of await Promise.all(waiting)) {
    expect(['Refused', 'BookingPending', 'CaseFinished']).toContain(answer.kind)
  }
})

test('an unavailable gateway loses nothing', async () => {
  const { caseNo, shipment } = await book(world, 'issue')
  await eventually(() => world.toGateway.passings.some(({ body }) => body.includes(caseNo)))
  const before = world.toGateway.passings.length
  world.toGateway.rule = () => ({ kind: 'cut' })
  await world.open(shipment, 'deliveryCode')
  await world.open(shipment, 'pickUpCode')
  await eventually(() => world.toGateway.passings.length > before + 1)
  expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ stage: 'dropOff' })
  world.toGateway.rule = () => pass
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
})

test('a gateway that is restarted with a new key continues', async () => {
  const { caseNo, shipment } = await book(world, 'issue')
  await world.restartGateway({ keys: { current: 'another key of the gateway'.replaceAll(' ', '-') } })
  await world.open(shipment, 'deliveryCode')
  await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
  await world.open(shipment, 'pickUpCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
})

test("callbacks during the worker's absence are applied when it is back", async () => {
  const { caseNo, shipment } = await book(world, 'issue')
  await world.stopWorker()
  await world.open(shipment, 'deliveryCode')
  await world.open(shipment, 'pickUpCode')
  await world.restartWorker()
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
})

test.each(['stock', 'issue'] as const)(
  'a worker that is killed between the commit of the booking and its response books %s once',
  async flow => {
    const caseNo = world.newCase()
    await world.stopWorker()
    const doomed = await startProcess(world)
    // The service commits, and its answer waits until the worker that asked is dead.
    const dead = gate()
    world.toService.rule = creates(caseNo, () => ({ kind: 'answerLater', until: dead.opened }))
    await world.flows.start(flow, { caseNo, request: requestOf(world, flow) })
    await eventually(async () => (await world.shipmentsOf(caseNo))[0])
    doomed.kill('SIGKILL')
    await once(doomed, 'exit')
    dead.open()
    await world.restartWorker()
    const booking = await world.flows.startAndWaitForBooking(flow, { caseNo, request: requestOf(world, flow) })
    expect(booking).toMatchObject({ kind: 'Booked' })
    await world.flows.cancel(caseNo, 'over')
  },
)
