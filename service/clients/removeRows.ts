import { sql } from 'kysely'
import { activeStates } from '#contract/terms'
import { createRunBatch } from '../retention/index.ts'
import { deleteShipments } from '../shipments/index.ts'
import type { Store, StoreTransaction } from '../store/index.ts'

/** The rows of a tenant or client in a table that may have many. */
interface OwnRows {
  readonly table: 'shipments' | 'outbox' | 'idempotency' | 'secret_attempts'
  readonly owner: 'tenant_id' | 'client_id'
  readonly ownerId: string
  /** A column that is unique among the rows of the owner. */
  readonly key: 'seq' | 'key' | 'address'
  /** Sorts before every value of `key`. */
  readonly first: number | string
  /** Rows of one transaction. A shipment may have many objects. */
  readonly size: number
}

/** @throws Error when the tenant or client must not be removed */
type Check = (tx: StoreTransaction) => Promise<unknown>

/**
 * Deletes shipments, callbacks and stored responses of a tenant in small transactions, with pauses for requests, as the purge does.
 * Checks the tenant in each of them.
 */
export async function removeTenantRows(store: Store, tenantId: string, check: Check): Promise<void> {
  const ofTenant = { owner: 'tenant_id', ownerId: tenantId, key: 'seq', first: 0 } as const
  await removeSlices(store, { ...ofTenant, table: 'shipments', size: 50 }, check)
  await removeSlices(store, { ...ofTenant, table: 'outbox', size: 500 }, check)
  const clients = await store.selectFrom('clients').select('client_id').where('tenant_id', '=', tenantId).execute()
  for (const { client_id } of clients) await removeClientRows(store, client_id, check)
}

/** Deletes the stored responses and the wrong secrets of a client as `removeTenantRows` does. */
export async function removeClientRows(store: Store, clientId: string, check: Check): Promise<void> {
  const ofClient = { owner: 'client_id', ownerId: clientId, first: '', size: 500 } as const
  await removeSlices(store, { ...ofClient, table: 'idempotency', key: 'key' }, check)
  await removeSlices(store, { ...ofClient, table: 'secret_attempts', key: 'address' }, check)
}

async function removeSlices(store: Store, rows: OwnRows, check: Check): Promise<void> {
  const runBatch = createRunBatch(store, new AbortController().signal)
  for (let after = rows.first; ; ) {
    // Outside of a transaction, which would block the writers of an embedded store.
    const keys = await findKeys(store, rows, after)
    const last = keys.at(-1)
    if (last === undefined) return
    const isDone = await runBatch(async tx => {
      await check(tx)
      await (rows.table === 'shipments' ? deleteEnded(tx, keys as number[]) : deleteKeys(tx, rows, keys))
      return true
    })
    // A service may purge for longer than a batch waits.
    if (isDone === true) after = last
  }
}

async function findKeys(
  store: Store,
  { table, owner, ownerId, key, size }: OwnRows,
  after: number | string,
): Promise<(number | string)[]> {
  const { rows } = await sql<{ key: number | string }>`
    select ${sql.ref(key)} as key from ${sql.table(table)}
    where ${sql.ref(owner)} = ${ownerId} and ${sql.ref(key)} > ${after}
    order by ${sql.ref(key)} limit ${size}`.execute(store)
  return rows.map(row => row.key)
}

async function deleteKeys(
  tx: StoreTransaction,
  { table, owner, ownerId, key }: OwnRows,
  keys: readonly (number | string)[],
): Promise<void> {
  await sql`
    delete from ${sql.table(table)}
    where ${sql.ref(owner)} = ${ownerId} and ${sql.ref(key)} in (${sql.join(keys)})`.execute(tx)
}

/** Deletes ended shipments with their waiting callbacks, for which the outbox has an index. */
async function deleteEnded(tx: StoreTransaction, seqs: readonly number[]): Promise<void> {
  const ended = await tx
    .selectFrom('shipments')
    .select('shipment_uid')
    .where('seq', 'in', seqs)
    .where('state_code', 'not in', activeStates)
    .execute()
  const uids = ended.map(({ shipment_uid }) => shipment_uid)
  if (uids.length === 0) return
  await tx.deleteFrom('outbox').where('shipment_uid', 'in', uids).execute()
  await deleteShipments(tx, uids)
}
