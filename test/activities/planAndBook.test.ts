import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createActivities } from '#activities'
import { fullProfile } from '#contract/terms'
import { toWorkflowId } from '#flows'
import { createClock } from '#testing/stack'
import { parcel } from '../support/world/apiWorld.ts'
import { createsOf, useActivities } from '../support/world/useActivities.ts'

const world = useActivities()
const pollInterval = { initial: 1_000, maximum: 1_000 }

function firstOrder(request: Record<string, unknown> = parcel) {
  const caseNo = `A-${randomUUID()}`
  const order = { flow: 'stock', workflowId: toWorkflowId(caseNo), input: { caseNo, request } }
  return { ...order, firstRunId: randomUUID(), since: new Date().toISOString() }
}

test('returns the same plan as `planFlow`, and the booking', async () => {
  const order = firstOrder()
  const { plan, bookings } = await world.activities.planAndBook(order)
  const { polls: spread, ...alone } = await world.activities.planFlow(order)
  expect(plan).toMatchObject(alone)
  expect(bookings).toEqual([[expect.objectContaining({ role: 'stock', stateCode: 'ReadyForDropOff' })]])
})

test('a repetition in the same first run books nothing more, one in another does', async () => {
  const order = firstOrder()
  const { bookings: first } = await world.activities.planAndBook(order)
  const { bookings: again } = await world.activities.planAndBook(order)
  expect(again).toEqual(first)
  const { bookings: other } = await world.activities.planAndBook({ ...order, firstRunId: randomUUID() })
  expect(other?.[0]?.[0]?.shipmentUid).not.toBe(first?.[0]?.[0]?.shipmentUid)
})

test('the age of a key is that by the clock of the stack, however far it has moved since', async () => {
  const clock = createClock(() => {
    throw new Error('No flow runs.')
  })
  const { planAndBook } = createActivities(world.api, { profile: fullProfile, pollInterval, clock: clock.at })
  const order = firstOrder()
  const { bookings: first } = await planAndBook(order)
  await clock.advance('25h')
  world.clockOffset = clock.ahead
  const { bookings: again } = await planAndBook(order)
  expect(again).toEqual(first)
  // A flow that starts now has nothing to do with an earlier booking of its case.
  const next = { ...order, firstRunId: randomUUID(), since: new Date().toISOString() }
  const { bookings: other } = await planAndBook(next)
  expect(other).toHaveLength(1)
  expect(other?.[0]?.[0]?.shipmentUid).not.toBe(first?.[0]?.[0]?.shipmentUid)
})

test('an input that is refused books nothing', async () => {
  const before = createsOf(world)
  await expect(world.activities.planAndBook(firstOrder({ ...parcel, Dimension: {} }))).rejects.toMatchObject({
    type: 'InvalidFlowInput',
    nonRetryable: true,
  })
  expect(createsOf(world)).toBe(before)
})

test('for a service without keys it only plans, since a lost response could not be retried', async () => {
  const profile = { ...fullProfile, idempotent: false }
  const order = firstOrder()
  const { plan, bookings } = await createActivities(world.api, { profile, pollInterval }).planAndBook(order)
  expect(plan.steps[0]).toMatchObject({ kind: 'book', operation: 'CreateLocalShipmentAsStock' })
  expect(bookings).toBeNull()
  const { items } = await world.api.call('GetShipments', { referenceCaseNo: order.input.caseNo })
  expect(items).toEqual([])
})
