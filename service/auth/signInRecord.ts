import type { Store } from '../store/index.ts'
import type { ClientSecretRow } from '../store/tables.ts'
import { freeFailures, maximumLock } from './secretThrottle.ts'

/** A client at the token endpoint. */
export interface SignInRecord {
  readonly tenantId: string
  readonly generation: number
  /** True if the client or its tenant is disabled. */
  readonly isDisabled: boolean
  /** Expired ones included. */
  readonly secrets: readonly Pick<ClientSecretRow, 'secret_salt' | 'secret_hash' | 'expires_at'>[]
  /** Wrong secrets from this address since the last right one. */
  readonly failures: number
  /** The end of the lock of this client at this address, in milliseconds since 1970; 0 without a lock. */
  readonly lockedUntil: number
  /** True while the client has too many wrong secrets from all addresses. */
  readonly isUnderAttack: boolean
}

/** Reads a client, its secrets and its wrong secrets in one statement: a sign-in costs one round trip to the store. */
export async function readSignInRecord(
  store: Store,
  { clientId, address, now }: { readonly clientId: string; readonly address: string; readonly now: number },
): Promise<SignInRecord | undefined> {
  // PostgreSQL rejects a parameter with the character NUL.
  if (clientId.includes('\0')) return undefined
  const rows = await store
    .selectFrom('clients')
    .innerJoin('tenants', 'tenants.tenant_id', 'clients.tenant_id')
    .leftJoin('client_secrets', 'client_secrets.client_id', 'clients.client_id')
    .leftJoin('secret_attempts as here', join =>
      join.onRef('here.client_id', '=', 'clients.client_id').on('here.address', '=', address),
    )
    .leftJoin('secret_attempts as anywhere', join =>
      join.onRef('anywhere.client_id', '=', 'clients.client_id').on('anywhere.address', '=', ''),
    )
    .select([
      'clients.tenant_id',
      'clients.token_generation',
      'clients.disabled_at',
      'tenants.disabled_at as tenant_disabled_at',
      'client_secrets.secret_salt',
      'client_secrets.secret_hash',
      'client_secrets.expires_at',
      'here.failures',
      'here.lock_expires_at',
      'anywhere.failures as all_failures',
      'anywhere.lock_expires_at as attacked_until',
    ])
    .where('clients.client_id', '=', clientId)
    .execute()
  const [first] = rows
  if (first === undefined) return undefined
  // A lock that ends later than any possible one is from before the clock was set back, and has expired.
  const isAhead = (end: number) => end > now && end <= now + maximumLock
  const failures = first.failures ?? 0
  const isUnderAttack = (first.all_failures ?? 0) >= freeFailures.client && isAhead(first.attacked_until ?? 0)
  const lockedUntil = first.lock_expires_at ?? 0
  // Without a lock, the column has the time of the last failure, by the clock of the process that counted it.
  const isLocked =
    failures >= (isUnderAttack ? freeFailures.attackedClient : freeFailures.address) && isAhead(lockedUntil)
  return {
    tenantId: first.tenant_id,
    generation: first.token_generation,
    isDisabled: first.disabled_at !== null || first.tenant_disabled_at !== null,
    secrets: rows.flatMap(({ secret_salt, secret_hash, expires_at }) =>
      secret_salt === null || secret_hash === null ? [] : [{ secret_salt, secret_hash, expires_at }],
    ),
    failures,
    lockedUntil: isLocked ? lockedUntil : 0,
    isUnderAttack,
  }
}
