import { expect } from 'vitest'
import { findPrior, holdsItem, isActive, priorUidOf, type StoreState } from './storeState.ts'

/** Linked shipments share tenant, pick up point and locker, wait for active shipments only, and have one follower. */
export function expectLinks(stored: StoreState): void {
  const followers = new Map<string, number>()
  for (const shipment of stored.shipments) {
    const prior = findPrior(stored, shipment)
    const { state_code, tenant_id, pup_uid, locker_uid } = shipment
    if (prior === undefined) {
      expect(priorUidOf(shipment), 'a link leads to a shipment').toBeNull()
      expect(state_code, 'without a link').not.toBe('WaitForPriorShipment')
      continue
    }
    const shared = [prior.tenant_id, prior.pup_uid, prior.locker_uid]
    expect([tenant_id, pup_uid, locker_uid], 'shares tenant, point and locker').toEqual(shared)
    if (state_code !== 'Cancelled') followers.set(prior.shipment_uid, (followers.get(prior.shipment_uid) ?? 0) + 1)
    expect(followers.get(prior.shipment_uid) ?? 0, 'followed once').toBeLessThanOrEqual(1)
    if (!isActive(shipment)) continue
    if (state_code === 'WaitForPriorShipment') expect(isActive(prior), 'waits for an active shipment').toBe(true)
    const isSwap = shipment.swaps_shipment_uid !== null
    if (!isActive(prior)) continue
    expect(holdsItem(shipment), 'holds no item while its prior shipment is active').toBe(false)
    expect(state_code === 'ReadyForDropOff', 'can be dropped off').toBe(isSwap && prior.state_code === 'ReadyForPickup')
  }
}
