import { expect, test } from 'vitest'
import type { FlowName } from '#workflows/flows'
import { createsOf, itemInStock, orderOf, overService, parcel } from './over.ts'

const over = overService()
const hour = 3_600_000

async function requestOf(flow: FlowName): Promise<Record<string, unknown>> {
  if (flow === 'stock') return parcel
  if (flow.startsWith('issueFromStock')) return { PriorShipmentUid: await itemInStock(over), ToUserUid: over.userUid }
  return { ...parcel, ToUserUid: over.userUid }
}

const flows: FlowName[] = [
  'stock',
  'issue',
  'issueAndSwapIntake',
  'issueFromStock',
  'issueFromStockAndSwapIntake',
  'issueFromStockAndSubsequentIntakeAndCircularStock',
]

test.each(flows)('a booking of %s that is repeated after its key is forgotten finds the first', async flow => {
  const request = await requestOf(flow)
  const order = await orderOf(over, flow, { request })
  const first = await over.activities.book(order)
  expect(first).toHaveLength(1)
  const before = createsOf(over)
  // Another key stands for one that the service does not remember any more.
  const since = new Date(Date.now() - 13 * hour).toISOString()
  const again = await over.activities.book({ ...order, since, idempotencyKey: 'forgotten' })
  expect(again).toEqual(first)
  expect(createsOf(over)).toBe(before)
})

test.each(flows)('a flow of %s that began long ago and has booked nothing books once', async flow => {
  const order = await orderOf(over, flow, { request: await requestOf(flow), since: Date.now() - 13 * hour })
  const before = createsOf(over)
  const [set, ...surplus] = await over.activities.book(order)
  expect(surplus).toEqual([])
  expect(set?.map(({ role }) => role)).toEqual(order.roles.map(({ name }) => name))
  expect(createsOf(over)).toBe(before + 1)
})

test('while the key is remembered, it is trusted: nothing is looked for, and the answer is the same', async () => {
  const order = await orderOf(over, 'stock', { request: parcel, since: Date.now() - 11 * hour })
  const first = await over.activities.book(order)
  const looked = over.wire.passings.length
  expect(await over.activities.book(order)).toEqual(first)
  expect(over.wire.passings.slice(looked).map(({ path }) => path.split('/').at(-1))).toEqual([
    'CreateLocalShipmentAsStock',
    'GetShipments',
  ])
})
