import { advisoryLock, inTransaction, type Store } from '../store/index.ts'
import { applyPickUpPoints } from './pickUpPoints.ts'
import type { Topology } from './shape.ts'
import { applyClients, applyTenants } from './tenants.ts'

/**
 * Updates the store to match a topology, in one transaction. Adds missing entities and updates names, sizes and
 * secrets; never removes anything. Idempotent.
 * @param now milliseconds since 1970
 * @throws Error if the topology contradicts the store, which then stays unchanged
 */
export async function applyTopology(store: Store, topology: Topology, now: number): Promise<void> {
  await inTransaction(store, async tx => {
    await advisoryLock(tx, 'topology')
    await applyPickUpPoints(tx, topology)
    await applyTenants(tx, topology, now)
    await applyClients(tx, topology)
  })
}
