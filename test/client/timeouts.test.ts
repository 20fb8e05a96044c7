import { expect, test } from 'vitest'
import { book } from '../support/flows/booking.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()

const notANumber = { timeout: Number('30s') }

// grpc-js throws outside of the call, which would end the process.
test('a timeout that is not a number is refused by every call that has one', async () => {
  const { caseNo } = await book(world, 'stock')
  const input = { caseNo, request: parcel }
  const calls = [
    world.flows.startAndWaitForBooking('stock', input, notANumber),
    world.flows.startAndWaitForEnd('stock', input, notANumber),
    world.flows.waitForBooking(caseNo, notANumber),
    world.flows.waitForEnd(caseNo, notANumber),
    world.flows.answer(caseNo, { step: 'quote', answer: 'priced' } as never, notANumber),
    world.flows.decide(caseNo, { decision: 'keepWaiting' }, notANumber),
    world.flows.assignReceiver(caseNo, 'kim', notANumber),
    world.flows.release(caseNo, notANumber),
    world.flows.cancel(caseNo, 'over', notANumber),
  ]
  const outcomes = await Promise.allSettled(calls)
  const refused = { status: 'rejected', reason: new TypeError('timeout must be milliseconds, not NaN.') }
  expect(outcomes).toEqual(calls.map(() => refused))
  await world.flows.cancel(caseNo, 'over')
})

test('a timeout of any length is possible', async () => {
  const { caseNo } = await book(world, 'stock')
  for (const timeout of [Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY]) {
    expect(await world.flows.waitForBooking(caseNo, { timeout })).toMatchObject({ kind: 'Booked' })
  }
  await world.flows.cancel(caseNo, 'over', { timeout: Number.MAX_SAFE_INTEGER })
  const options = { timeout: Number.MAX_SAFE_INTEGER }
  expect(await world.flows.waitForEnd(caseNo, options)).toMatchObject({ kind: 'Ended' })
})
