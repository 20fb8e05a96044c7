import { expect, test } from 'vitest'
import type { BookingFlowName as FlowName } from '#flows'
import { parcel } from '../support/world/apiWorld.ts'
import { createsOf, itemInStock, orderOf, useActivities } from '../support/world/useActivities.ts'

const world = useActivities()
const hour = 3_600_000

async function requestOf(flow: FlowName): Promise<Record<string, unknown>> {
  if (flow === 'stock') return parcel
  if (flow.startsWith('issueFromStock')) return { PriorShipmentUid: await itemInStock(world), ToUserUid: world.userUid }
  return { ...parcel, ToUserUid: world.userUid }
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
  const order = await orderOf(world, flow, { request })
  const first = await world.activities.bookShipments(order)
  expect(first).toHaveLength(1)
  const before = createsOf(world)
  // Another key stands for one that the service does not remember any more.
  const since = new Date(Date.now() - 13 * hour).toISOString()
  const again = await world.activities.bookShipments({ ...order, since, idempotencyKey: 'forgotten' })
  expect(again).toEqual(first)
  expect(createsOf(world)).toBe(before)
})

test.each(flows)('a flow of %s that began long ago and has booked nothing books once', async flow => {
  const order = await orderOf(world, flow, { request: await requestOf(flow), since: Date.now() - 13 * hour })
  const before = createsOf(world)
  const [set, ...duplicates] = await world.activities.bookShipments(order)
  expect(duplicates).toEqual([])
  expect(set?.map(({ role }) => role)).toEqual(order.roles.map(({ name }) => name))
  expect(createsOf(world)).toBe(before + 1)
})

test('while the service remembers the key, the flow relies on it: no search, and the same result', async () => {
  const order = await orderOf(world, 'stock', { request: parcel, since: Date.now() - 11 * hour })
  const first = await world.activities.bookShipments(order)
  const looked = world.toService.passings.length
  expect(await world.activities.bookShipments(order)).toEqual(first)
  expect(world.toService.passings.slice(looked).map(({ path }) => path.split('/').at(-1))).toEqual([
    'CreateLocalShipmentAsStock',
    'GetShipments',
  ])
})
