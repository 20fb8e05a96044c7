import { describe, expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import { createsOf, dropOff, orderOf, overService, parcel } from './over.ts'

const over = overService()
const minute = 60_000

describe.each([
  ['filters by case', { ...fullProfile, idempotent: false }],
  ['does not filter by case', { ...fullProfile, idempotent: false, readsByCase: false }],
])('a case that is started again, at a service that %s', (_, profile) => {
  async function bookedBefore(minutes: number) {
    over.off = -minutes * minute
    const order = { ...(await orderOf(over, 'stock', { request: parcel })), profile }
    const [set] = await over.activities.book(order)
    over.off = 0
    return { order, shipmentUid: set?.[0]?.shipmentUid ?? '' }
  }

  test.each(['as it was', 'with news of today'])('does not adopt what an older life booked, %s', async news => {
    const { order, shipmentUid } = await bookedBefore(20)
    if (news !== 'as it was') await dropOff(over.api, shipmentUid)
    const before = createsOf(over)
    const sets = await over.activities.book({ ...order, since: new Date().toISOString() })
    expect(createsOf(over)).toBe(before + 1)
    expect(sets.flat().map(shipment => shipment.shipmentUid)).not.toContain(shipmentUid)
    expect(sets.flat()).toHaveLength(1)
  })

  test('takes what was made within the slack of clocks for its own', async () => {
    const { order, shipmentUid } = await bookedBefore(10)
    const before = createsOf(over)
    const sets = await over.activities.book({ ...order, since: new Date().toISOString() })
    expect(sets.flat()).toMatchObject([{ shipmentUid }])
    expect(createsOf(over)).toBe(before)
  })

  test('does not take a cancelled booking for one', async () => {
    const { order, shipmentUid } = await bookedBefore(1)
    await over.api.call('CancelShipment', { shipmentUid })
    const sets = await over.activities.book({ ...order, since: new Date().toISOString() })
    expect(sets.flat()).toHaveLength(1)
    expect(sets.flat().map(shipment => shipment.shipmentUid)).not.toContain(shipmentUid)
  })
})
