import { expect, test } from 'vitest'
import { searchAttributes, toWorkflowId } from '#flows'
import { shipmentStatus } from '#flows/messages'
import { pass } from '../../../testing/stack/wire.ts'
import { toNewest } from '../../../workflows/visibility/searchAttributes.ts'
import { eventually } from '../../support/eventually.ts'
import { book } from '../../support/flows/booking.ts'
import { hour, movableClock, moveFlowClock } from '../../support/flows/clock.ts'
import { failedTasks } from '../../support/flows/history.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld(movableClock)
const { caseNo: caseNumber, leftOver, outcome, overdue, pickUpPoint, state, steps } = searchAttributes
const keyOf = (name: string) => ({ name, type: 'KEYWORD' as const })

/** How many of the flows of a case a search finds. */
async function found(caseNo: string, condition: string): Promise<number> {
  const { count } = await world.client.workflow.count(`${caseNumber.name} = '${caseNo}' AND ${condition}`)
  return count
}

const isOverdue = `${overdue.name} = true`
const inDropOff = `${steps.name} = 'dropOff'`
const runs = `ExecutionStatus = 'Running'`

/** Every flow here is found before as what it was, so that not being found afterwards means something. */
async function expectFoundAsEnded(caseNo: string, status: string, condition: string): Promise<void> {
  await eventually(async () => (await found(caseNo, `ExecutionStatus = '${status}' AND ${condition}`)) === 1)
  expect(await found(caseNo, runs)).toBe(0)
}

test.each([
  { length: 36, count: 51 },
  { length: 64, count: 29 },
])('the newest $count uids of $length characters fit the list of shipments', ({ length, count }) => {
  const uids = Array.from({ length: 60 }, (_, index) => String(index).padStart(length, '0'))
  expect(toNewest(uids)).toEqual(uids.slice(-count))
})

test('an overdue flow that completes is found by its step, and no longer as running', async () => {
  const { caseNo, shipment } = await book(world, 'stock', { dropOff: '300ms' })
  await eventually(async () => (await found(caseNo, `${isOverdue} AND ${inDropOff} AND ${runs}`)) === 1)
  await world.open(shipment, 'deliveryCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  await expectFoundAsEnded(caseNo, 'Completed', `${isOverdue} AND ${inDropOff} AND ${outcome.name} = 'completed'`)
})

test('an overdue flow that is cancelled is no longer overdue, and cleaned up last', async () => {
  const { caseNo } = await book(world, 'stock', { dropOff: '300ms' })
  await eventually(async () => (await found(caseNo, `${isOverdue} AND ${inDropOff} AND ${runs}`)) === 1)
  await world.flows.cancel(caseNo, 'over')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'cancelled' } })
  await expectFoundAsEnded(caseNo, 'Completed', `${state.name} = 'cleaningUp' AND ${steps.name} IS NULL`)
  expect(await found(caseNo, isOverdue)).toBe(0)
})

test('a flow that expired has the state cleaningUp', async () => {
  const { caseNo } = await book(world, 'issue', { dropOff: '48h' })
  await eventually(async () => (await found(caseNo, `${inDropOff} AND ${runs}`)) === 1)
  await moveFlowClock(world, caseNo, 49 * hour)
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'expired' } })
  await expectFoundAsEnded(caseNo, 'Completed', `${outcome.name} = 'expired' AND ${leftOver.name} = false`)
})

test('a flow whose booking was abandoned has failed, and was in no step', async () => {
  const caseNo = world.newCase()
  world.toService.rule = ({ path }) => (path.includes('/CreateLocal') ? { kind: 'loseAnswer' } : pass)
  const input = { caseNo, request: parcel, windows: { booking: '1s' } } as const
  expect(await world.flows.startAndWaitForBooking('stock', input)).toMatchObject({ code: 'BookingGivenUp' })
  world.toService.rule = () => pass
  expect(await world.flows.result(caseNo)).toMatchObject({ code: 'BookingGivenUp' })
  await expectFoundAsEnded(caseNo, 'Failed', `${steps.name} IS NULL AND ${outcome.name} = 'failed'`)
})

test.each([
  ['any length', 'p'.repeat(3_000)],
  ['a null character', 'pup\u0000-1'],
  ['a control character', 'pup\u001b-1'],
  ['half a character', 'pup\ud83d-1'],
])('a callback with a pick up point of %s changes no search attribute, and does not stop a flow', async (_, pupUid) => {
  const { caseNo, shipment } = await book(world, 'issue')
  const { shipmentUid } = shipment
  const status = { shipmentUid, stateCode: 'ReadyForPickup', stateStart: '', pupUid }
  const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
  await handle.signal(shipmentStatus, status)
  await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
  await eventually(async () => (await found(caseNo, `${steps.name} = 'pickUp' AND ${runs}`)) === 1)
  expect((await handle.describe()).typedSearchAttributes.get(keyOf(pickUpPoint.name))).toBe('pup-1')
  expect(await failedTasks(world, caseNo)).toEqual([])
  await world.flows.cancel(caseNo, 'over')
})
