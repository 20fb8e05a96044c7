import { inTransaction, type Store, takeTurn } from '../store/index.ts'
import { applyClients } from './clients.ts'
import { applyPickUpPoints } from './pickUpPoints.ts'
import type { Topology } from './shape.ts'
import { applyTenants } from './tenants.ts'

/**
 * Brings the store to what a topology declares, in one transaction: what is missing is added, names, sizes and
 * secrets become those declared, and nothing is ever removed. Doing it twice is doing it once.
 * @param now milliseconds since 1970
 * @throws Error when what is declared contradicts what is there; then nothing has changed
 */
export async function applyTopology(store: Store, topology: Topology, now: number): Promise<void> {
  await inTransaction(store, async tx => {
    await takeTurn(tx, 'topology')
    await applyPickUpPoints(tx, topology)
    await applyTenants(tx, topology, now)
    await applyClients(tx, topology)
  })
}
