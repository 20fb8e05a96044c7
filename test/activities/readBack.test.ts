import { expect, test } from 'vitest'
import { pass } from '../support/wire.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { createsOf, orderOf, useActivities } from '../support/world/useActivities.ts'

const world = useActivities()

/** Faults that by themselves say that nothing was done: what was booked before the reading is. */
const faults = [
  { status: 429, type: 'RateLimited' },
  { status: 403, type: 'Forbidden' },
]

test.each(faults)('a booking whose read fails with $status is possibly made, and its key finds it', async fault => {
  const { status, type } = fault
  const order = await orderOf(world, 'stock', { request: parcel })
  world.toService.rule = ({ path }) => (path.endsWith('/GetShipments') ? { kind: 'status', status } : pass)
  await expect(world.activities.bookShipments(order)).rejects.toMatchObject({
    type,
    nonRetryable: false,
    details: [{ attempt: 1, outcomeUnknown: true }],
  })
  const { items } = await world.api.call('GetShipments', { referenceCaseNo: order.caseNo })
  expect(items).toHaveLength(1)

  world.toService.rule = () => pass
  const before = createsOf(world)
  const [set] = await world.activities.bookShipments(order)
  expect(set?.map(({ shipmentUid }) => shipmentUid)).toEqual(items.map(({ shipmentUid }) => shipmentUid))
  expect(createsOf(world)).toBe(before + 1)
})
