import { advisoryLock, inTransaction, type Store, type StoreTransaction } from '../store/index.ts'
import { applyClients } from './clients.ts'
import { applyPickUpPoints } from './pickUpPoints.ts'
import { readRemoved } from './removed.ts'
import type { Topology } from './shape.ts'
import { applyTenants } from './tenants.ts'

/** The parts of a topology that a start has left alone. */
export interface IgnoredEntries {
  /** Ids of clients that the command removed, or whose secrets it changed. */
  readonly clientIds: readonly string[]
  /** Pick up points that an earlier topology has retired or removed, in whole or in part. */
  readonly pupUids: readonly string[]
}

/**
 * Updates the store to match a topology, in one transaction. Adds missing entities and updates names, sizes and
 * secrets; never removes anything, and never revives what a command has removed, retired or revoked. Idempotent.
 * @param now milliseconds since 1970
 * @throws Error if the topology contradicts the store, which then stays unchanged
 */
export async function applyTopology(store: Store, topology: Topology, now: number): Promise<IgnoredEntries> {
  return inTransaction(store, async tx => {
    await advisoryLock(tx, 'topology')
    return applyDeclared(tx, topology, now)
  })
}

/** Updates the store to match a topology, in a transaction that has the advisory lock. */
export async function applyDeclared(tx: StoreTransaction, topology: Topology, now: number): Promise<IgnoredEntries> {
  const context = { removed: await readRemoved(tx), now }
  const points = await applyPickUpPoints(tx, topology, context)
  const access = await applyTenants(tx, topology, context)
  const clientIds = await applyClients(tx, topology, now)
  return { clientIds, pupUids: [...new Set([...points, ...access])] }
}
