import type { Selectable } from 'kysely'
import { isManagedBy } from '../accounts/index.ts'
import { ArgumentError, unknownTenant } from '../operationError.ts'
import { findTenant } from '../outbox/index.ts'
import type { Store } from '../store/index.ts'
import type { AccountRow } from '../store/tables.ts'

/** A person as a command selects it. */
export interface PersonSelection {
  readonly userUid: string
  /** The tenant on whose behalf the command runs. It must be in the store, and manage the account if there is one. */
  readonly tenantId?: string | undefined
}

/**
 * Returns the account of a person; undefined if it was removed before.
 * @throws ArgumentError when the store lacks the tenant, or the tenant does not manage the account
 */
export async function findPersonAccount(
  store: Store,
  { userUid, tenantId }: PersonSelection,
): Promise<Selectable<AccountRow> | undefined> {
  // The tenant is checked first: nothing tells who managed a removed account.
  if (tenantId !== undefined && (await findTenant(store, tenantId)) === undefined) throw unknownTenant(tenantId)
  const account = await store.selectFrom('accounts').selectAll().where('user_uid', '=', userUid).executeTakeFirst()
  if (account === undefined || tenantId === undefined) return account
  const managed = await store
    .selectFrom('accounts')
    .select('user_uid')
    .where('user_uid', '=', userUid)
    .where(eb => isManagedBy(eb, tenantId))
    .executeTakeFirst()
  if (managed !== undefined) return account
  throw new ArgumentError(
    `--user: must be the uid of an account that ${tenantId} manages; leave --tenant out to act for all.`,
  )
}

/**
 * Finds a person without an account, who was removed before. The entry of an export counts for nothing: a mistyped uid has one in
 * the stores whose exports did not check it.
 * @throws ArgumentError when nothing in the store names the uid
 */
export async function assertKnown(store: Store, userUid: string): Promise<void> {
  const entry = await store
    .selectFrom('audit_log')
    .select('seq')
    .where('subject', '=', userUid)
    .where('action', 'in', ['account.created', 'account.changed', 'account.removed', 'account.erased'])
    .limit(1)
    .executeTakeFirst()
  const shipment = await store
    .selectFrom('shipments')
    .select('seq')
    .where(eb => eb.or([eb('from_user_uid', '=', userUid), eb('to_user_uid', '=', userUid)]))
    .limit(1)
    .executeTakeFirst()
  if (entry === undefined && shipment === undefined) {
    throw new ArgumentError(
      `--user: must be the uid of an account, but no account, shipment or audit entry has ${userUid}.`,
    )
  }
}

/** @throws ArgumentError when the account is the main account of a dispatcher */
export async function assertNoDispatcher(store: Store, userUid: string): Promise<void> {
  const tenant = await store
    .selectFrom('tenants')
    .select('tenant_id')
    .where('dispatcher_user_uid', '=', userUid)
    .executeTakeFirst()
  if (tenant === undefined) return
  throw new ArgumentError(
    `--user: must not be the main account of the dispatcher of ${tenant.tenant_id}; change it by SetAccountDetails, or remove the tenant.`,
  )
}
