import { expect } from 'vitest'
import { findPrior, holdsItem, isActive, type StoreState } from './storeState.ts'

/** A locker is booked if and only if an active shipment has it, and by one booking only. */
export function expectLockers(stored: StoreState): void {
  const active = stored.shipments.filter(isActive)
  const held = [...new Set(active.map(({ locker_uid }) => locker_uid ?? 'none'))].sort()
  expect(stored.booked, 'booked lockers are those of active shipments').toEqual(held)
  for (const locker of held) {
    const there = active.filter(({ locker_uid }) => locker_uid === locker)
    // Shipments of one locker form a chain of links, so exactly one has no prior shipment at the locker.
    const first = there.filter(shipment => {
      const prior = findPrior(stored, shipment)
      return prior === undefined || !there.includes(prior)
    })
    expect(first.length, `bookings of ${locker}`).toBe(1)
    expect(new Set(there.map(({ tenant_id }) => tenant_id)).size, `tenants at ${locker}`).toBe(1)
    expect(there.filter(holdsItem).length, `items in ${locker}`).toBeLessThanOrEqual(1)
  }
}
