import { expect, test } from 'vitest'
import { workflowIdOf } from '#contract/terms'
import { shipmentStatus } from '#workflows/messages'
import { book } from '../flows/booking.ts'
import { eventually, gate } from '../flows/eventually.ts'
import { useWorld } from '../flows/useWorld.ts'
import { parcel } from '../flows/world.ts'
import { pass } from '../wire/wire.ts'

const world = useWorld()

test('fifteen callers at once all hear of the one slow booking', async () => {
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

test('callers who gave up waiting do not keep anybody from cancelling', async () => {
  const caseNo = world.newCase()
  world.toService.rule = ({ path }) => (path.includes('/CreateLocal') ? { kind: 'status', status: 503 } : pass)
  const options = { deadline: 500 }
  for (let caller = 0; caller < 12; caller++) {
    const answer = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel }, options)
    expect(answer).toEqual({ kind: 'BookingPending', caseNo })
  }
  const cancelled = world.flows.cancel(caseNo, 'over')
  world.toService.rule = () => pass
  expect(await cancelled).toEqual({ kind: 'Cancelled', outcome: 'cancelled', leftOver: [] })
})

test('a cancellation gets through while callbacks pour in, and is answered', async () => {
  for (let round = 0; round < 5; round++) {
    const { caseNo } = await book(world, 'stock')
    const handle = world.client.workflow.getHandle(workflowIdOf(caseNo))
    const strange = { shipmentUid: 'another', stateCode: 'Completed', stateStart: '' }
    let pouring = true
    // One after the other, as a gateway delivers them; a signal fails once the flow is over.
    const pour = async () => {
      while (pouring) await handle.signal(shipmentStatus, strange).catch(() => (pouring = false))
    }
    const flood = pour()
    const answer = await world.flows.cancel(caseNo, 'over', { deadline: 10_000 })
    pouring = false
    await flood
    expect(answer).toEqual({ kind: 'Cancelled', outcome: 'cancelled', leftOver: [] })
  }
}, 70_000)
