import { advisoryLock, inTransaction, type Store } from '../store/index.ts'
import { applyClients } from './clients.ts'
import { applyPickUpPoints } from './pickUpPoints.ts'
import type { Topology } from './shape.ts'
import { applyTenants } from './tenants.ts'

/**
 * Updates the store to match a topology, in one transaction. Adds missing entities and updates names, sizes and
 * secrets; never removes anything, and never revives what the command has removed or revoked. Idempotent.
 * @param now milliseconds since 1970
 * @returns the ids of clients that the command removed, or whose secrets it changed
 * @throws Error if the topology contradicts the store, which then stays unchanged
 */
export async function applyTopology(store: Store, topology: Topology, now: number): Promise<readonly string[]> {
  return inTransaction(store, async tx => {
    await advisoryLock(tx, 'topology')
    await applyPickUpPoints(tx, topology)
    await applyTenants(tx, topology, now)
    return applyClients(tx, topology, now)
  })
}
