import { sql } from 'kysely'
import type { Store } from '../store/index.ts'
import type { SecretAttemptsRow } from '../store/tables.ts'

/** Wrong secrets before a lock. */
export const freeFailures = {
  /** For a client at one address, and for all ids at one address. */
  address: 5,
  /** For a client at all addresses. */
  client: 100,
  /** For a client at one address, once the client has too many from all addresses. */
  attackedClient: 1,
} as const
/** The first and the longest lock, in milliseconds. Each further wrong secret doubles the lock. */
const initialLock = 30_000
export const maximumLock = 900_000
/** From this many failures beyond the free ones the lock is the longest. */
const doublings = Math.ceil(Math.log2(maximumLock / initialLock))

/** A wrong secret. */
export interface WrongSecret {
  /** Undefined for an id that no client has: made-up ids share the limit of their address. */
  readonly clientId: string | undefined
  /** From `toThrottleAddress`. */
  readonly address: string
  /** True while the client has too many wrong secrets from all addresses. */
  readonly isUnderAttack: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Counts a wrong secret in one statement, for all processes.
 * @returns the end of a lock that was there before, in milliseconds since 1970, or 0 when the secret was within the limits
 */
export async function recordWrongSecret(store: Store, wrong: WrongSecret): Promise<number> {
  const { clientId, address, isUnderAttack, now } = wrong
  const pairFree = isUnderAttack ? freeFailures.attackedClient : freeFailures.address
  // In the same order everywhere, or two statements could deadlock.
  const limits = [
    ...(clientId === undefined ? [] : [{ client_id: clientId, address: '', free: freeFailures.client }]),
    { client_id: '', address, free: freeFailures.address },
    ...(clientId === undefined ? [] : [{ client_id: clientId, address, free: pairFree }]),
  ]
  const count = sql`case when attempts.lock_expires_at <= cast(${now - maximumLock} as bigint) then 1 else attempts.failures + 1 end`
  const free = sql`case when attempts.address = '' then ${sql.lit(freeFailures.client)}
    when attempts.client_id = '' then ${sql.lit(freeFailures.address)} else ${sql.lit(pairFree)} end`
  const over = sql`(${count}) - (${free})`
  const { rows: counted } = await sql<SecretAttemptsRow>`
    insert into secret_attempts as attempts (client_id, address, failures, lock_expires_at)
    values ${sql.join(limits.map(row => sql`(${row.client_id}, ${row.address}, 1, cast(${now + lockAfter(1, row.free)} as bigint))`))}
    on conflict (client_id, address) do update set
      failures = ${count},
      lock_expires_at = case
        when attempts.lock_expires_at > cast(${now} as bigint) and attempts.lock_expires_at <= cast(${now + maximumLock} as bigint)
          and attempts.failures >= (${free}) then attempts.lock_expires_at
        when ${over} < 0 then cast(${now} as bigint)
        when ${over} >= ${sql.lit(doublings)} then cast(${now + maximumLock} as bigint)
        else cast(${now} as bigint) + ${sql.lit(initialLock)} * (1 << (${over})) end
    returning client_id, address, failures, lock_expires_at`.execute(store)
  const ends = counted
    .filter(({ address }) => address !== '')
    .filter(row => {
      const began = now + lockAfter(row.failures, row.client_id === '' ? freeFailures.address : pairFree)
      return row.lock_expires_at !== began
    })
  return Math.max(0, ...ends.map(row => row.lock_expires_at))
}

function lockAfter(failures: number, free: number): number {
  return failures < free ? 0 : Math.min(maximumLock, initialLock * 2 ** (failures - free))
}

/** Returns the end of the lock of an address, or 0. */
export async function readAddressLock(store: Store, address: string, now: number): Promise<number> {
  const row = await store
    .selectFrom('secret_attempts')
    .select('lock_expires_at')
    .where('client_id', '=', '')
    .where('address', '=', address)
    .where('failures', '>=', freeFailures.address)
    .where('lock_expires_at', '>', now)
    .where('lock_expires_at', '<=', now + maximumLock)
    .executeTakeFirst()
  return row?.lock_expires_at ?? 0
}

/** Forgets the wrong secrets of a client at an address, after a right one. */
export async function forgetWrongSecrets(store: Store, clientId: string, address: string): Promise<void> {
  await store.deleteFrom('secret_attempts').where('client_id', '=', clientId).where('address', '=', address).execute()
}
