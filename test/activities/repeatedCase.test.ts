import { describe, expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import { parcel } from '../support/world/apiWorld.ts'
import { createsOf, orderOf, useActivities } from '../support/world/useActivities.ts'

const world = useActivities()
const minute = 60_000

describe.each([
  ['filters by case', { ...fullProfile, idempotent: false }],
  ['does not filter by case', { ...fullProfile, idempotent: false, readsByCase: false }],
])('a case that is started again, at a service that %s', (_, profile) => {
  async function bookedBefore(minutes: number) {
    world.clockOffset = -minutes * minute
    const order = { ...(await orderOf(world, 'stock', { request: parcel })), profile }
    const [set] = await world.activities.bookShipments(order)
    world.clockOffset = 0
    return { order, shipmentUid: set?.[0]?.shipmentUid ?? '' }
  }

  test.each(['as it was', 'with news of today'])('does not adopt a booking of the previous flow, %s', async news => {
    const { order, shipmentUid } = await bookedBefore(20)
    if (news !== 'as it was') await world.openShipment(shipmentUid, 'deliveryCode')
    const before = createsOf(world)
    const sets = await world.activities.bookShipments({ ...order, since: new Date().toISOString() })
    expect(createsOf(world)).toBe(before + 1)
    expect(sets.flat().map(shipment => shipment.shipmentUid)).not.toContain(shipmentUid)
    expect(sets.flat()).toHaveLength(1)
  })

  test('treats bookings within the clock tolerance as its own', async () => {
    const { order, shipmentUid } = await bookedBefore(10)
    const before = createsOf(world)
    const sets = await world.activities.bookShipments({ ...order, since: new Date().toISOString() })
    expect(sets.flat()).toMatchObject([{ shipmentUid }])
    expect(createsOf(world)).toBe(before)
  })

  test('ignores a cancelled booking', async () => {
    const { order, shipmentUid } = await bookedBefore(1)
    await world.api.call('CancelShipment', { shipmentUid })
    const sets = await world.activities.bookShipments({ ...order, since: new Date().toISOString() })
    expect(sets.flat()).toHaveLength(1)
    expect(sets.flat().map(shipment => shipment.shipmentUid)).not.toContain(shipmentUid)
  })
})
