import type { Selectable } from 'kysely'
import type { Call } from '../operations/call.ts'
import { hasRowLocks, withRowLock } from '../store/rowLocks.ts'
import type { AccountRow } from '../store/tables.ts'

type Caller = Pick<Call, 'tx' | 'tenantId'>

/** An account and what the caller is to it. */
export interface Account extends Selectable<AccountRow> {
  readonly main_pup_name: string
  /** The caller manages its main pick up point, and so the account. */
  readonly managed: boolean
}

/** What an account can be looked up by. */
export type AccountKey = 'user_uid' | 'user_name_key' | 'email_key'

/** User names and e-mail addresses are the same in any casing, and kept as given. */
export function folded(text: string): string {
  return text.toLowerCase()
}

/** Keeps those who register or remove the accounts with these keys waiting until the call ends. */
export async function holdAccounts({ tx }: Caller, emailAddress: string, userName: string): Promise<void> {
  if (!hasRowLocks(tx)) return
  await tx
    .selectFrom('accounts')
    .select('user_uid')
    .where(eb => eb.or([eb('email_key', '=', folded(emailAddress)), eb('user_name_key', '=', folded(userName))]))
    // In one order, or two calls could wait for each other.
    .orderBy('user_uid')
    .modifyEnd(withRowLock(tx))
    .execute()
}

/** The account with this uid, user name or e-mail address, whoever manages it. */
export async function accountBy(caller: Caller, column: AccountKey, key: string): Promise<Account | undefined> {
  const row = await accounts(caller)
    .where(`accounts.${column}`, '=', column === 'user_uid' ? key : folded(key))
    .executeTakeFirst()
  return row && accountOf(row)
}

/**
 * The same if the caller manages it. Nothing of somebody else's is read, so that it takes no longer than one that
 * does not exist.
 */
export async function managedAccountBy(caller: Caller, column: AccountKey, key: string): Promise<Account | undefined> {
  const row = await accounts(caller)
    .where(`accounts.${column}`, '=', column === 'user_uid' ? key : folded(key))
    .where('managing.tenant_id', 'is not', null)
    .executeTakeFirst()
  return row && accountOf(row)
}

/**
 * The accounts with this e-mail address and with this user name. One query: between two, an account could come that
 * only the second sees.
 */
export async function accountsBy(
  caller: Caller,
  emailAddress: string,
  userName: string,
): Promise<{ byEmail: Account | undefined; byUserName: Account | undefined }> {
  const keys = { email: folded(emailAddress), userName: folded(userName) }
  const rows = await accounts(caller)
    .where(eb => eb.or([eb('email_key', '=', keys.email), eb('user_name_key', '=', keys.userName)]))
    .execute()
  const found = rows.map(accountOf)
  return {
    byEmail: found.find(({ email_key }) => email_key === keys.email),
    byUserName: found.find(({ user_name_key }) => user_name_key === keys.userName),
  }
}

function accounts({ tx, tenantId }: Caller) {
  return tx
    .selectFrom('accounts')
    .innerJoin('pick_up_points', 'pick_up_points.pup_uid', 'accounts.main_pup_uid')
    .leftJoin('pick_up_point_tenants as managing', join =>
      join.onRef('managing.pup_uid', '=', 'accounts.main_pup_uid').on('managing.tenant_id', '=', tenantId),
    )
    .selectAll('accounts')
    .select(['pick_up_points.name as main_pup_name', 'managing.tenant_id as manager'])
}

type Row = Selectable<AccountRow> & { readonly main_pup_name: string; readonly manager: string | null }

function accountOf({ manager, ...account }: Row): Account {
  return { ...account, managed: manager !== null }
}
