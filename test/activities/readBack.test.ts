import { expect, test } from 'vitest'
import { pass } from '../wire/wire.ts'
import { createsOf, orderOf, overService, parcel } from './over.ts'

const over = overService()

/** Faults that by themselves say that nothing was done: what was booked before the reading is. */
const faults = [
  { status: 429, type: 'RateLimited' },
  { status: 403, type: 'Forbidden' },
]

test.each(faults)('a booking that is read back with $status may be done, and its key finds it', async fault => {
  const { status, type } = fault
  const order = await orderOf(over, 'stock', { request: parcel })
  over.wire.rule = ({ path }) => (path.endsWith('/GetShipments') ? { kind: 'status', status } : pass)
  await expect(over.activities.book(order)).rejects.toMatchObject({
    type,
    nonRetryable: false,
    details: [{ attempt: 1, maybeDone: true }],
  })
  const { items } = await over.api.call('GetShipments', { referenceCaseNo: order.caseNo })
  expect(items).toHaveLength(1)

  over.wire.rule = () => pass
  const before = createsOf(over)
  const [set] = await over.activities.book(order)
  expect(set?.map(({ shipmentUid }) => shipmentUid)).toEqual(items.map(({ shipmentUid }) => shipmentUid))
  expect(createsOf(over)).toBe(before + 1)
})
