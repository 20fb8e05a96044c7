import { recordAudit } from '../audit/index.ts'
import { advisoryLock, inTransaction, openExistingStore, type Store, type StoreTransaction } from '../store/index.ts'
import { applyDeclared } from './apply.ts'
import { compareSnapshots, fromKey, readSnapshot, type TopologyChange, toKey } from './changes.ts'
import { declaredLockers } from './lockers.ts'
import { toAccessId } from './removed.ts'
import { type InUse, removeUnused } from './removeUnused.ts'
import { retireMissing } from './retire.ts'
import { reviveDeclared } from './revive.ts'
import type { Topology } from './shape.ts'

export interface TopologyOptions {
  /** Retires and removes what the topology does not declare. */
  readonly retire: boolean
}

/** Applies topologies to a store that services may have open. Running services follow at once. */
export interface TopologyRegistry {
  /** Applies a topology and rolls back. Bookings at changed lockers wait meanwhile, and none is lost. */
  preview(topology: Topology, options: TopologyOptions): Promise<readonly TopologyChange[]>
  /** @throws Error if the topology contradicts the store, which then stays unchanged */
  apply(topology: Topology, options: TopologyOptions): Promise<readonly TopologyChange[]>
  close(): Promise<void>
}

/** Time limit of a statement in milliseconds: lockers of bookings that are under way are waited for. */
const statementTimeout = 600_000

/**
 * Opens the store at a `file:` or `postgres://` URL.
 * @throws Error when it cannot be opened, or is a file that does not exist
 */
export async function openTopologyRegistry(databaseUrl: string): Promise<TopologyRegistry> {
  return createTopologyRegistry(await openExistingStore(databaseUrl, { statementTimeout }), Date.now)
}

/** Creates the registry of an open store, which `close` closes. */
export function createTopologyRegistry(store: Store, clock: () => number): TopologyRegistry {
  return {
    async preview(topology, options) {
      const rollback = new Rollback()
      try {
        return await inTransaction(store, async tx => {
          rollback.changes = await change(tx, topology, { ...options, now: clock() })
          throw rollback
        })
      } catch (error) {
        if (error === rollback) return rollback.changes
        throw error
      }
    },
    apply: (topology, options) =>
      inTransaction(store, async tx => {
        const now = clock()
        const changes = await change(tx, topology, { ...options, now })
        const detail = options.retire ? 'retire' : undefined
        await recordAudit(tx, { action: 'topology.applied', detail, actor: 'operator', now })
        return changes
      }),
    close: () => store.destroy(),
  }
}

/** Ends a transaction that only shows its changes. */
class Rollback extends Error {
  changes: readonly TopologyChange[] = []
}

async function change(
  tx: StoreTransaction,
  topology: Topology,
  { retire, now }: TopologyOptions & { readonly now: number },
): Promise<readonly TopologyChange[]> {
  await advisoryLock(tx, 'topology')
  const before = await readSnapshot(tx)
  if (retire) await retireMissing(tx, topology, now)
  await reviveDeclared(tx, topology)
  await applyDeclared(tx, topology, now)
  const inUse = retire ? await removeUnused(tx, now) : []
  const after = await readSnapshot(tx)
  const changes = compareSnapshots(before, after)
  const declared = declaredKeys(topology)
  const stays = [...after].filter(([key, row]) => !declared.has(key) && (row.retired_at ?? null) === null)
  return [...changes, ...inUse.map(toRefusal), ...stays.map(([key]) => ({ change: 'kept', ...fromKey(key) }) as const)]
}

function toRefusal({ entry, id, reason }: InUse): TopologyChange {
  return { change: 'refused', entry, id, detail: reason }
}

function declaredKeys({ tenants, pickUpPoints }: Topology): ReadonlySet<string> {
  return new Set([
    ...tenants.flatMap(({ name, clients }) => [
      toKey('tenant', name),
      ...clients.map(({ clientId }) => toKey('client', clientId)),
    ]),
    ...pickUpPoints.flatMap(point => [
      toKey('pickUpPoint', point.pupUid),
      ...declaredLockers(point).map(({ uid }) => toKey('locker', uid)),
      ...point.tenants.map(tenant => toKey('access', toAccessId(point.pupUid, tenant))),
    ]),
  ])
}
