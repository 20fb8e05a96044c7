import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import type { Call } from '../call.ts'
import { OperationError } from '../operationError.ts'
import { forNoKeyUpdate, forUpdate, hasRowLocks } from '../store/locks.ts'
import type { AccountRow, Tables } from '../store/tables.ts'
import { toTextKey } from '../textKey.ts'

type Caller = Pick<Call, 'tx' | 'tenantId'>

/** An account as one caller sees it. */
export interface Account extends Selectable<AccountRow> {
  readonly main_pup_name: string
  /** True if the caller's tenant may see and change the account, see `isManagedBy`. */
  readonly managed: boolean
}

export type AccountKey = 'user_uid' | 'user_name_key' | 'email_key'

/**
 * The key of a user name that was not given. The line break, with which no user name begins, keeps it apart from the key of
 * an account that has the address as its given user name.
 */
export function toDefaultNameKey(emailAddress: string, isGivenName: boolean): string {
  return isGivenName ? `\n${toTextKey(emailAddress)}` : toTextKey(emailAddress)
}

interface Keys {
  readonly email: string
  readonly userName: string
}

function toKeys(emailAddress: string, userName: string): Keys {
  return { email: toTextKey(emailAddress), userName: toTextKey(userName) }
}

/** True for the accounts with this address, and for those whose given or default user name is this one. */
function hasKey(eb: ExpressionBuilder<Tables, 'accounts'>, { email, userName }: Keys): Expression<SqlBool> {
  return eb.or([eb('accounts.email_key', 'in', [email, userName]), eb('accounts.user_name_key', '=', userName)])
}

/** Locks the accounts with these keys until the call ends, so that concurrent registrations and removals wait. */
export async function lockAccounts({ tx }: Caller, emailAddress: string, userName: string): Promise<void> {
  if (!hasRowLocks(tx)) return
  await tx
    .selectFrom('accounts')
    .select('user_uid')
    .where(eb => hasKey(eb, toKeys(emailAddress, userName)))
    // A fixed order prevents deadlocks.
    .orderBy('user_uid')
    .modifyEnd(forNoKeyUpdate(tx))
    .execute()
}

/** Returns the account with this uid, user name or e-mail address, no matter which tenant manages it. */
export async function findAccount(caller: Caller, column: AccountKey, key: string): Promise<Account | undefined> {
  const row = await selectAccounts(caller)
    .where(`accounts.${column}`, '=', column === 'user_uid' ? key : toTextKey(key))
    .executeTakeFirst()
  return row && toAccount(row)
}

/** Returns an account that the caller manages. */
export async function findManagedAccount(
  caller: Caller,
  column: AccountKey,
  key: string,
): Promise<Account | undefined> {
  const value = column === 'user_uid' ? key : toTextKey(key)
  const row = await selectAccounts(caller)
    .where(`accounts.${column}`, '=', value)
    .where(eb => manages(eb, caller.tenantId, column, value))
    .executeTakeFirst()
  return row && toAccount(row)
}

/**
 * Returns an account that the caller manages. An address names the account that has it, before one that has it as its given user
 * name.
 */
export async function findManagedByUserName(caller: Caller, userName: string): Promise<Account | undefined> {
  const owner = userName.includes('@') ? await findManagedAccount(caller, 'email_key', userName) : undefined
  return owner?.user_name === null ? owner : findManagedAccount(caller, 'user_name_key', userName)
}

export interface FoundAccounts {
  readonly byEmail: Account | undefined
  /** If two accounts have the user name: the one that the caller manages, then the one whose address it is. */
  readonly byUserName: Account | undefined
  /** The account with the key of the user name. */
  readonly byNameKey: Account | undefined
}

/** Returns the accounts with this e-mail address and with this user name, from one query and so one snapshot. */
export async function findAccounts(caller: Caller, emailAddress: string, userName: string): Promise<FoundAccounts> {
  const keys = toKeys(emailAddress, userName)
  const rows = await selectAccounts(caller)
    .where(eb => hasKey(eb, keys))
    .execute()
  const found = rows.map(toAccount)
  const byNameKey = found.find(({ user_name_key }) => user_name_key === keys.userName)
  const byAddress = found.find(({ user_name, email_key }) => user_name === null && email_key === keys.userName)
  const byUserName = [byAddress, byNameKey].find(account => account?.managed) ?? byAddress ?? byNameKey
  return { byEmail: found.find(({ email_key }) => email_key === keys.email), byUserName, byNameKey }
}

/**
 * True for the accounts that a tenant manages: those of its pick up points, except the main accounts of other tenants'
 * dispatchers.
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
 * True if the tenant manages the account with this key. No part refers to a row of the outer query, so the database
 * evaluates it before it reads one: a foreign account takes as long as an unknown one.
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

/** Returns an account that the caller manages, and locks it against other changes. */
export function lockAccount(call: Call, userUid: string): Promise<Account> {
  return lockManagedAccount(call, userUid, forNoKeyUpdate)
}

/** Returns an account that the caller manages, and locks it against other changes and new bookings. */
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
