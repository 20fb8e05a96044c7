import { expect, test } from 'vitest'
import type { ListFilter } from '#client'
import { toQuery } from '../../client/list.ts'
import { eventually } from '../support/eventually.ts'
import { book } from '../support/flows/booking.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()

async function listed(filter: ListFilter) {
  const page = await world.flows.list(filter)
  if (page.kind !== 'Listed') throw new Error(page.message)
  return page
}

test('flows are found by flow, state, overdue, user and pick up point, page by page', async () => {
  // The server is shared, and only this user is of this file.
  const user = world.userUid
  const { caseNo: issue, shipment } = await book(world, 'issue', { dropOff: '1h' })
  const { caseNo: next } = await book(world, 'issue')
  const { caseNo: newest } = await book(world, 'issue')
  const casesOf = async (filter: ListFilter) => (await listed({ user, ...filter })).cases.map(({ caseNo }) => caseNo)
  await eventually(async () => (await casesOf({ state: 'waiting' })).length === 3)

  expect(await casesOf({})).toEqual([newest, next, issue])
  expect(await casesOf({ flow: 'stock' })).toEqual([])
  expect(await casesOf({ flow: 'issue', pickUpPoint: 'pup-1', overdue: false })).toEqual([newest, next, issue])
  expect(await casesOf({ pickUpPoint: 'nowhere' })).toEqual([])
  expect(await casesOf({ overdue: true })).toEqual([])
  expect(await casesOf({ state: 'ended' })).toEqual([])

  const first = await listed({ user, pageSize: 2 })
  expect(first.cases.map(({ caseNo }) => caseNo)).toEqual([newest, next])
  const second = await listed({ user, pageSize: 2, cursor: first.cursor ?? '' })
  expect(await world.flows.list({ cursor: first.cursor ?? '' })).toMatchObject({ code: 'InvalidCursor' })
  expect(second).toMatchObject({
    cursor: null,
    cases: [
      {
        caseNo: issue,
        flow: 'issue',
        state: 'waiting',
        stage: 'dropOff',
        overdue: false,
        user,
        pickUpPoint: 'pup-1',
        shipmentUids: [shipment.shipmentUid],
        startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        endedAt: null,
        failed: false,
      },
    ],
  })

  for (const caseNo of [issue, next, newest]) await world.flows.cancel(caseNo, 'over')
  await eventually(async () => (await casesOf({ state: 'ended' })).length === 3)
  const [ended] = (await listed({ user, flow: 'issue' })).cases
  expect(ended).toMatchObject({ state: 'ended', overdue: false, endedAt: expect.any(String), failed: false })
})

test('an overdue flow and one that was refused are told apart', async () => {
  const { caseNo: late } = await book(world, 'stock', { dropOff: '300ms' })
  const refused = world.newCase(0)
  await world.flows.startAndWaitForBooking('stock', { caseNo: refused, request: { ...parcel, PupUid: 'nowhere' } })
  const found = (filter: ListFilter, caseNo: string) =>
    eventually(async () => (await listed({ flow: 'stock', ...filter })).cases.find(each => each.caseNo === caseNo))
  expect(await found({ overdue: true, state: 'overdue' }, late)).toMatchObject({ stage: 'dropOff', overdue: true })
  expect(await found({ state: 'ended' }, refused)).toMatchObject({ failed: true })
  await world.flows.cancel(late, 'over')
})

test('quotes in a filter find nothing, and no error', async () => {
  expect(await listed({ user: "o'hare' OR '1' = '1\\" })).toEqual({ kind: 'Listed', cases: [], cursor: null })
})

test.each(['', 'x'])('the invalid cursor %j is refused', async cursor => {
  expect(await world.flows.list({ cursor })).toMatchObject({ kind: 'Refused', code: 'InvalidCursor' })
})

test.each<[ListFilter<string>, string]>([
  [{}, "LockerflowCase IS NOT NULL AND ExecutionStatus != 'ContinuedAsNew'"],
  [
    { state: 'booking' },
    "LockerflowCase IS NOT NULL AND (LockerflowState IS NULL OR LockerflowState = 'booking') AND ExecutionStatus = 'Running'",
  ],
  [
    { flow: "a' OR 'b\\", state: 'ended' },
    "LockerflowCase IS NOT NULL AND LockerflowFlow = 'a\\' OR \\'b\\\\' AND NOT ExecutionStatus = 'Running' AND ExecutionStatus != 'ContinuedAsNew'",
  ],
])('the query of %j', (filter, query) => {
  expect(toQuery(filter)).toBe(query)
})
