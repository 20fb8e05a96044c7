import { expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { shipmentStatus } from '#flows/messages'
import { pass } from '../../testing/stack/wire.ts'
import { eventually, gate } from '../support/eventually.ts'
import { book } from '../support/flows/booking.ts'
import { eventsOf } from '../support/flows/history.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()

test('fifteen concurrent callers all get the result of one slow booking', async () => {
  const caseNo = world.newCase()
  const answered = gate()
  world.toService.rule = ({ path }) =>
    path.includes('/CreateLocal') ? { kind: 'answerLater', until: answered.opened } : pass
  const waiting = Array.from({ length: 15 }, () =>
    world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel }),
  )
  // The first attempt is over and the next one hangs: all callers are there by now.
  await eventually(() => world.toService.passings.filter(({ path }) => path.includes('/CreateLocal')).length > 1)
  answered.open()
  const answers = new Set((await Promise.all(waiting)).map(answer => JSON.stringify(answer)))
  expect([...answers].map(answer => JSON.parse(answer))).toEqual([expect.objectContaining({ kind: 'Booked', caseNo })])
  await world.flows.cancel(caseNo, 'over')
})

test('a caller beyond those that a flow takes gets a pending booking, and its key is no obstacle later', async () => {
  const caseNo = world.newCase()
  const answered = gate()
  world.toService.rule = ({ path }) =>
    path.includes('/CreateLocal') ? { kind: 'answerLater', until: answered.opened } : pass
  await world.flows.start('stock', { caseNo, request: parcel })
  const five = Array.from({ length: 5 }, () => world.flows.waitForBooking(caseNo))
  await eventually(async () => {
    const events = await eventsOf(world, caseNo)
    return events.filter(event => event.workflowExecutionUpdateAcceptedEventAttributes).length === 5
  })
  const pending = await world.flows.waitForBooking(caseNo, { key: 'sixth', timeout: 5_000 })
  expect(pending).toMatchObject({ kind: 'BookingPending', caseNo, code: 'BookingPending' })
  answered.open()
  for (const answer of await Promise.all(five)) expect(answer).toMatchObject({ kind: 'Booked', caseNo })
  expect(await world.flows.waitForBooking(caseNo, { key: 'sixth' })).toMatchObject({ kind: 'Booked', caseNo })
  await world.flows.cancel(caseNo, 'over')
})

test('callers with one key wait by one update', async () => {
  const caseNo = world.newCase()
  const answered = gate()
  world.toService.rule = ({ path }) =>
    path.includes('/CreateLocal') ? { kind: 'answerLater', until: answered.opened } : pass
  await world.flows.start('stock', { caseNo, request: parcel })
  const waiting = Array.from({ length: 7 }, () => world.flows.waitForBooking(caseNo, { key: 'shared' }))
  const acceptedIds = async () => {
    const events = await eventsOf(world, caseNo)
    return events.flatMap(event => event.workflowExecutionUpdateAcceptedEventAttributes?.protocolInstanceId ?? [])
  }
  await eventually(async () => (await acceptedIds()).length > 0)
  answered.open()
  for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject({ kind: 'Booked', caseNo })
  expect(await acceptedIds()).toEqual(['shared'])
  await world.flows.cancel(caseNo, 'over')
})

test('callers that stopped waiting do not prevent a cancellation', async () => {
  const caseNo = world.newCase()
  world.toService.rule = ({ path }) => (path.includes('/CreateLocal') ? { kind: 'status', status: 503 } : pass)
  // Only the wait is short, since a busy machine can take longer for the start.
  await world.flows.start('stock', { caseNo, request: parcel })
  const options = { timeout: 500 }
  for (let caller = 0; caller < 12; caller++) {
    const answer = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel }, options)
    expect(answer).toMatchObject({ kind: 'BookingPending', caseNo })
  }
  const cancelled = world.flows.cancel(caseNo, 'over')
  world.toService.rule = () => pass
  expect(await cancelled).toEqual({ kind: 'Cancelled', outcome: 'cancelled', leftOver: [] })
})

test('a cancellation succeeds while many callbacks arrive', async () => {
  for (let round = 0; round < 5; round++) {
    const { caseNo } = await book(world, 'stock')
    const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
    const strange = { shipmentUid: 'another', stateCode: 'Completed', stateStart: '' }
    let pouring = true
    // One after the other, as a gateway delivers them; a signal fails once the flow is over.
    const pour = async () => {
      while (pouring) await handle.signal(shipmentStatus, strange).catch(() => (pouring = false))
    }
    const flood = pour()
    const answer = await world.flows.cancel(caseNo, 'over', { timeout: 60_000 })
    pouring = false
    await flood
    expect(answer).toEqual({ kind: 'Cancelled', outcome: 'cancelled', leftOver: [] })
  }
})
