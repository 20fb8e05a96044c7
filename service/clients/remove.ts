import { type Selectable, sql } from 'kysely'
import { activeStates } from '#contract/terms'
import { recordRemoval } from '../auth/index.ts'
import { tableNames } from '../store/copy/tables.ts'
import type { Store, StoreTransaction } from '../store/index.ts'
import { forNoKeyUpdate, forUpdate } from '../store/locks.ts'
import { bumpRevision } from '../store/revision.ts'
import type { TenantRow } from '../store/tables.ts'
import type { Target } from './access.ts'
import { lockClient, lockTenant } from './load.ts'
import { removeClientRows, removeTenantRows } from './removeRows.ts'

/** Columns that assign a row to a tenant, each with the table that it refers to. */
const owners = [
  ['tenant_id', 'tenants'],
  ['client_id', 'clients'],
  ['shipment_uid', 'shipments'],
  ['upload_id', 'suggestion_uploads'],
] as const

/** Deletes rows of a client or tenant in small transactions. The rest is few, and removed with it. */
export async function removeRows(store: Store, target: Target): Promise<void> {
  if ('clientId' in target) {
    const { clientId } = target
    return removeClientRows(store, clientId, tx => lockRemovableClient(tx, clientId))
  }
  const { tenantId } = target
  return removeTenantRows(store, tenantId, tx => lockRemovableTenant(tx, tenantId))
}

/**
 * Removes a client that is disabled, with its stored responses. Its shipments belong to the tenant and stay.
 * @throws Error when the client is unknown or switched on
 */
export async function removeClient(tx: StoreTransaction, clientId: string, now: number): Promise<void> {
  await lockRemovableClient(tx, clientId)
  for (const table of ['idempotency', 'client_secrets', 'secret_attempts', 'rate_buckets', 'clients'] as const) {
    await tx.deleteFrom(table).where('client_id', '=', clientId).execute()
  }
  await recordRemoval(tx, 'client', clientId, now)
  await bumpRevision(tx)
}

/**
 * Removes a tenant that is disabled, with its clients, ended shipments, uploads and waiting callbacks. Pick up points
 * and accounts stay; so does the dispatcher's account while another tenant has an active shipment from or to it.
 * @throws Error when the tenant is unknown, switched on, or has active shipments
 */
export async function removeTenant(tx: StoreTransaction, tenantId: string, now: number): Promise<void> {
  // Waits for bookings that have read the tenant, and ends later ones.
  const { dispatcher_user_uid } = await lockRemovableTenant(tx, tenantId, forUpdate)
  const tables = await tx.introspection.getTables()
  // Each table before those that it references.
  for (const name of tableNames.toReversed().filter(name => !outliving.includes(name))) {
    const columns = tables.find(table => table.name === name)?.columns.map(column => column.name) ?? []
    await deleteRows(tx, { table: name, columns, tenantId })
  }
  await removeDispatcher(tx, dispatcher_user_uid)
  await recordRemoval(tx, 'tenant', tenantId, now)
  await bumpRevision(tx)
}

async function lockRemovableClient(tx: StoreTransaction, clientId: string): Promise<void> {
  const { disabled_at } = await lockClient(tx, clientId)
  if (disabled_at === null)
    throw new Error(`client id: must be disabled before it is removed: run disable ${clientId}.`)
}

async function lockRemovableTenant(
  tx: StoreTransaction,
  tenantId: string,
  lock = forNoKeyUpdate,
): Promise<Selectable<TenantRow>> {
  const tenant = await lockTenant(tx, tenantId, lock)
  if (tenant.disabled_at === null) {
    throw new Error(`--tenant: must be disabled before it is removed: run disable --tenant ${tenantId}.`)
  }
  const active = await countActiveShipments(tx, tenantId)
  if (active > 0) {
    const way = 'enable it to end them, or leave it disabled.'
    throw new Error(`--tenant: must not have active shipments, but ${tenantId} has ${active}; ${way}`)
  }
  return tenant
}

async function countActiveShipments(tx: StoreTransaction, tenantId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('shipments')
    .select(eb => eb.fn.countAll().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('state_code', 'in', activeStates)
    .executeTakeFirstOrThrow()
  return Number(count)
}

interface OwnedRows {
  readonly table: string
  readonly columns: readonly string[]
  readonly tenantId: string
}

/** Tables whose rows outlive their tenant. The retention purges them in small batches. */
const outliving: readonly string[] = ['audit_log', 'suggestion_uploads', 'suggestions', 'suggestion_words']

/** Deletes the rows of one table that belong to the tenant. */
async function deleteRows(tx: StoreTransaction, { table, columns, tenantId }: OwnedRows): Promise<void> {
  const [column, owner] = owners.find(([name]) => columns.includes(name)) ?? []
  if (column === undefined || owner === undefined) return
  const name = sql.ref(column)
  await sql`
    delete from ${sql.table(table)}
    where ${name} in (select ${name} from ${sql.table(owner)} where tenant_id = ${tenantId})`.execute(tx)
}

async function removeDispatcher(tx: StoreTransaction, userUid: string): Promise<void> {
  // A statement of its own waits for the bookings that use the account, so that the next one sees their shipments.
  await tx.selectFrom('accounts').select('user_uid').where('user_uid', '=', userUid).modifyEnd(forUpdate(tx)).execute()
  await tx
    .deleteFrom('accounts')
    .where('user_uid', '=', userUid)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('tenants').select('tenant_id').where('dispatcher_user_uid', '=', userUid))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('shipments')
            .select('seq')
            .where(eb => eb.or([eb('from_user_uid', '=', userUid), eb('to_user_uid', '=', userUid)]))
            .where('state_code', 'in', activeStates),
        ),
      ),
    )
    .execute()
}
