import type { Selectable } from 'kysely'
import { ArgumentError, unknownTenant } from '../operationError.ts'
import type { StoreTransaction } from '../store/index.ts'
import { forNoKeyUpdate } from '../store/locks.ts'
import type { ClientRow, TenantRow } from '../store/tables.ts'

/** Locks a client against other commands. @throws ArgumentError when it is unknown */
export async function lockClient(tx: StoreTransaction, clientId: string): Promise<Selectable<ClientRow>> {
  const client = await tx
    .selectFrom('clients')
    .selectAll()
    .where('client_id', '=', clientId)
    .modifyEnd(forNoKeyUpdate(tx))
    .executeTakeFirst()
  if (client === undefined) throw new ArgumentError(`client id: must be a client of the store, got "${clientId}".`)
  return client
}

/** Locks a tenant against other commands. @throws ArgumentError when it is unknown */
export async function lockTenant(
  tx: StoreTransaction,
  tenantId: string,
  lock = forNoKeyUpdate,
): Promise<Selectable<TenantRow>> {
  const tenant = await tx
    .selectFrom('tenants')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .modifyEnd(lock(tx))
    .executeTakeFirst()
  if (tenant === undefined) throw unknownTenant(tenantId)
  return tenant
}
