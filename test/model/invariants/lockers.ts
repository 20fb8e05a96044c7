import { expect } from 'vitest'
import { type Facts, holdsItem, isActive, priorOf } from './facts.ts'

/** A locker is booked if and only if an active shipment has it, and by one booking only. */
export function expectLockers(facts: Facts): void {
  const active = facts.shipments.filter(isActive)
  const held = [...new Set(active.map(({ locker_uid }) => locker_uid ?? 'none'))].sort()
  expect(facts.booked, 'booked lockers are those of active shipments').toEqual(held)
  for (const locker of held) {
    const there = active.filter(({ locker_uid }) => locker_uid === locker)
    // Those that share a locker come after one another, so only one of them comes after none of the others.
    const first = there.filter(shipment => {
      const prior = priorOf(facts, shipment)
      return prior === undefined || !there.includes(prior)
    })
    expect(first.length, `bookings of ${locker}`).toBe(1)
    expect(new Set(there.map(({ tenant_id }) => tenant_id)).size, `tenants at ${locker}`).toBe(1)
    expect(there.filter(holdsItem).length, `items in ${locker}`).toBeLessThanOrEqual(1)
  }
}
