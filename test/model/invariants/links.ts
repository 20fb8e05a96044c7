import { expect } from 'vitest'
import { type Facts, holdsItem, isActive, priorOf, priorUidOf } from './facts.ts'

/** Linked shipments share tenant, place and locker, wait for what is still to come, and are followed once. */
export function expectLinks(facts: Facts): void {
  const followers = new Map<string, number>()
  for (const shipment of facts.shipments) {
    const prior = priorOf(facts, shipment)
    const { state_code, tenant_id, pup_uid, locker_uid } = shipment
    if (prior === undefined) {
      expect(priorUidOf(shipment), 'a link leads to a shipment').toBeNull()
      expect(state_code, 'waits for nobody').not.toBe('WaitForPriorShipment')
      continue
    }
    const shared = [prior.tenant_id, prior.pup_uid, prior.locker_uid]
    expect([tenant_id, pup_uid, locker_uid], 'shares what it is linked to').toEqual(shared)
    if (state_code !== 'Cancelled') followers.set(prior.shipment_uid, (followers.get(prior.shipment_uid) ?? 0) + 1)
    expect(followers.get(prior.shipment_uid) ?? 0, 'followed once').toBeLessThanOrEqual(1)
    if (!isActive(shipment)) continue
    if (state_code === 'WaitForPriorShipment') expect(isActive(prior), 'waits for what is to come').toBe(true)
    const isSwap = shipment.swaps_shipment_uid !== null
    if (!isActive(prior)) continue
    expect(holdsItem(shipment), 'has no item before what it comes after is done').toBe(false)
    expect(state_code === 'ReadyForDropOff', 'its turn').toBe(isSwap && prior.state_code === 'ReadyForPickup')
  }
}
