import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createActivities } from '#activities'
import { fullProfile, workflowIdOf } from '#contract/terms'
import { createsOf, overService, parcel } from './over.ts'

const over = overService()
const looks = { first: 1_000, longest: 1_000 }

function firstOrder(request: Record<string, unknown> = parcel) {
  const caseNo = `A-${randomUUID()}`
  const order = { flow: 'stock', workflowId: workflowIdOf(caseNo), input: { caseNo, request } }
  return { ...order, firstRunId: randomUUID(), since: new Date().toISOString() }
}

test('plans as `plan` does, and answers the booking', async () => {
  const order = firstOrder()
  const { plan, sets } = await over.activities.planAndBook(order)
  const { looks: spread, ...alone } = await over.activities.plan(order)
  expect(plan).toMatchObject(alone)
  expect(sets).toEqual([[expect.objectContaining({ role: 'stock', stateCode: 'ReadyForDropOff' })]])
})

test('a repetition in the same first run books nothing more, one in another does', async () => {
  const order = firstOrder()
  const { sets: first } = await over.activities.planAndBook(order)
  const { sets: again } = await over.activities.planAndBook(order)
  expect(again).toEqual(first)
  const { sets: other } = await over.activities.planAndBook({ ...order, firstRunId: randomUUID() })
  expect(other?.[0]?.[0]?.shipmentUid).not.toBe(first?.[0]?.[0]?.shipmentUid)
})

test('an input that is refused books nothing', async () => {
  const before = createsOf(over)
  await expect(over.activities.planAndBook(firstOrder({ ...parcel, Dimension: {} }))).rejects.toMatchObject({
    type: 'InvalidFlowInput',
    nonRetryable: true,
  })
  expect(createsOf(over)).toBe(before)
})

test('where a service forgets keys, only the plan is made: an attempt whose answer is lost could not be repeated', async () => {
  const profile = { ...fullProfile, idempotent: false }
  const order = firstOrder()
  const { plan, sets } = await createActivities(over.api, { profile, looks }).planAndBook(order)
  expect(plan.operation).toBe('CreateLocalShipmentAsStock')
  expect(sets).toBeNull()
  const { items } = await over.api.call('GetShipments', { referenceCaseNo: order.input.caseNo })
  expect(items).toEqual([])
})
