import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import type { Call } from '../call.ts'
import { OperationError } from '../operationError.ts'
import { forNoKeyUpdate, forUpdate, hasRowLocks } from '../store/locks.ts'
import type { AccountRow, Tables } from '../store/tables.ts'

type Caller = Pick<Call, 'tx' | 'tenantId'>

/** An account as one caller sees it. */
export interface Account extends Selectable<AccountRow> {
  readonly main_pup_name: string
  /** True if the caller's tenant may see and change the account, see `isManagedBy`. */
  readonly managed: boolean
}

export type AccountKey = 'user_uid' | 'user_name_key' | 'email_key'

/** User names and e-mail addresses are compared case-insensitively and stored as entered. */
export function toKey(text: string): string {
  return text.toLowerCase()
}

/** Locks the accounts with these keys until the call ends, so that concurrent registrations and removals wait. */
export async function lockAccounts({ tx }: Caller, emailAddress: string, userName: string): Promise<void> {
  if (!hasRowLocks(tx)) return
  await tx
    .selectFrom('accounts')
    .select('user_uid')
    .where(eb => eb.or([eb('email_key', '=', toKey(emailAddress)), eb('user_name_key', '=', toKey(userName))]))
    // A fixed order prevents deadlocks.
    .orderBy('user_uid')
    .modifyEnd(forNoKeyUpdate(tx))
    .execute()
}

/** Returns the account with this uid, user name or e-mail address, no matter which tenant manages it. */
export async function findAccount(caller: Caller, column: AccountKey, key: string): Promise<Account | undefined> {
  const row = await selectAccounts(caller)
    .where(`accounts.${column}`, '=', column === 'user_uid' ? key : toKey(key))
    .executeTakeFirst()
  return row && toAccount(row)
}

/** Returns an account that the caller manages. */
export async function findManagedAccount(
  caller: Caller,
  column: AccountKey,
  key: string,
): Promise<Account | undefined> {
  const value = column === 'user_uid' ? key : toKey(key)
  const row = await selectAccounts(caller)
    .where(`accounts.${column}`, '=', value)
    .where(eb => manages(eb, caller.tenantId, column, value))
    .executeTakeFirst()
  return row && toAccount(row)
}

/** Returns the accounts with this e-mail address and with this user name, from one query and so one snapshot. */
export async function findAccounts(
  caller: Caller,
  emailAddress: string,
  userName: string,
): Promise<{ byEmail: Account | undefined; byUserName: Account | undefined }> {
  const keys = { email: toKey(emailAddress), userName: toKey(userName) }
  const rows = await selectAccounts(caller)
    .where(eb => eb.or([eb('email_key', '=', keys.email), eb('user_name_key', '=', keys.userName)]))
    .execute()
  const found = rows.map(toAccount)
  return {
    byEmail: found.find(({ email_key }) => email_key === keys.email),
    byUserName: found.find(({ user_name_key }) => user_name_key === keys.userName),
  }
}

/**
 * True for the accounts that a tenant manages: those of its pick up points, except the main accounts of other tenants'
 * dispatchers (D-038, D-125).
 */
export function isManagedBy(eb: ExpressionBuilder<Tables, 'accounts'>, tenantId: string): Expression<SqlBool> {
  const managing = eb
    .selectFrom('pick_up_point_tenants')
    .select('pick_up_point_tenants.pup_uid')
    .whereRef('pick_up_point_tenants.pup_uid', '=', 'accounts.main_pup_uid')
    .where('pick_up_point_tenants.tenant_id', '=', tenantId)
  return eb.and([eb.exists(managing), eb.not(isDispatcherOfOther(eb, tenantId))])
}

/**
 * The same for the account with this key. No part refers to a row of the outer query, so the database evaluates it
 * before it reads one: a foreign account takes as long as an unknown one.
 */
function manages(
  eb: ExpressionBuilder<Tables, 'accounts'>,
  tenantId: string,
  column: AccountKey,
  key: string,
): Expression<SqlBool> {
  const wanted = (selected: 'main_pup_uid' | 'user_uid') =>
    eb.fn.coalesce(
      eb.selectFrom('accounts as wanted').select(`wanted.${selected}`).where(`wanted.${column}`, '=', key),
      eb.val(''),
    )
  const managing = eb
    .selectFrom('pick_up_point_tenants')
    .select('pick_up_point_tenants.pup_uid')
    .where('pick_up_point_tenants.pup_uid', '=', wanted('main_pup_uid'))
    .where('pick_up_point_tenants.tenant_id', '=', tenantId)
  const dispatching = eb
    .selectFrom('tenants')
    .select('tenants.tenant_id')
    .where('tenants.dispatcher_user_uid', '=', wanted('user_uid'))
    .where('tenants.tenant_id', '<>', tenantId)
  return eb.and([eb.exists(managing), eb.not(eb.exists(dispatching))])
}

function isDispatcherOfOther(eb: ExpressionBuilder<Tables, 'accounts'>, tenantId: string): Expression<SqlBool> {
  return eb.exists(
    eb
      .selectFrom('tenants')
      .select('tenants.tenant_id')
      .whereRef('tenants.dispatcher_user_uid', '=', 'accounts.user_uid')
      .where('tenants.tenant_id', '<>', tenantId),
  )
}

function selectAccounts({ tx, tenantId }: Caller) {
  return tx
    .selectFrom('accounts')
    .innerJoin('pick_up_points', 'pick_up_points.pup_uid', 'accounts.main_pup_uid')
    .leftJoin('pick_up_point_tenants as managing', join =>
      join
        .onRef('managing.pup_uid', '=', 'accounts.main_pup_uid')
        .on('managing.tenant_id', '=', tenantId)
        .on(eb => eb.not(isDispatcherOfOther(eb, tenantId))),
    )
    .selectAll('accounts')
    .select(['pick_up_points.name as main_pup_name', 'managing.tenant_id as manager'])
}

type SelectedAccount = Selectable<AccountRow> & { readonly main_pup_name: string; readonly manager: string | null }

function toAccount({ manager, ...account }: SelectedAccount): Account {
  return { ...account, managed: manager !== null }
}

/**
 * Returns an account that the caller manages.
 * @throws OperationError InvalidUserUid, with the same message for unknown and for foreign accounts
 */
export async function requireManagedAccount(call: Call, userUid: string): Promise<Account> {
  const account = await findManagedAccount(call, 'user_uid', userUid)
  if (account === undefined)
    throw new OperationError('InvalidUserUid', 'userUid must be the uid of an account that you manage.')
  return account
}

/** The same, and locks the account against other changes. */
export function lockAccount(call: Call, userUid: string): Promise<Account> {
  return lockManagedAccount(call, userUid, forNoKeyUpdate)
}

/** The same, and locks the account against new bookings too. */
export function lockAccountForDelete(call: Call, userUid: string): Promise<Account> {
  return lockManagedAccount(call, userUid, forUpdate)
}

async function lockManagedAccount(call: Call, userUid: string, lock: typeof forNoKeyUpdate): Promise<Account> {
  if (hasRowLocks(call.tx)) {
    await call.tx
      .selectFrom('accounts')
      .select('user_uid')
      .where('user_uid', '=', userUid)
      .where(eb => manages(eb, call.tenantId, 'user_uid', userUid))
      .modifyEnd(lock(call.tx))
      .execute()
  }
  return requireManagedAccount(call, userUid)
}
