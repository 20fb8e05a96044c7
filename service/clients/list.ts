import { readKeys } from '../auth/index.ts'
import type { Store } from '../store/index.ts'

/** A secret of a client. Moments are milliseconds since 1970. */
export interface SecretEntry {
  readonly createdAt: number
  readonly expiresAt: number | null
}

export interface ClientEntry {
  readonly clientId: string
  readonly tenantId: string
  readonly isDisabled: boolean
  /** False once the command has changed the secrets. */
  readonly secretsFromTopology: boolean
  /** Secrets that are accepted now, the older first. */
  readonly secrets: readonly SecretEntry[]
}

export interface TenantEntry {
  readonly tenantId: string
  readonly isDisabled: boolean
}

export interface Listing {
  readonly tenants: readonly TenantEntry[]
  readonly clients: readonly ClientEntry[]
  /** Signing keys, newest first. */
  readonly keys: readonly { readonly kid: string; readonly createdAt: number }[]
}

/** Lists tenants, clients and signing keys. */
export async function listClients(store: Store, now: number): Promise<Listing> {
  const tenants = await store.selectFrom('tenants').select(['tenant_id', 'disabled_at']).orderBy('tenant_id').execute()
  const clients = await store.selectFrom('clients').selectAll().orderBy('tenant_id').orderBy('client_id').execute()
  const secrets = await store
    .selectFrom('client_secrets')
    .selectAll()
    .where(eb => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('created_at')
    .execute()
  const keys = await readKeys(store)
  return {
    tenants: tenants.map(row => ({ tenantId: row.tenant_id, isDisabled: row.disabled_at !== null })),
    clients: clients.map(row => ({
      clientId: row.client_id,
      tenantId: row.tenant_id,
      isDisabled: row.disabled_at !== null,
      secretsFromTopology: row.secrets_from_topology === 1,
      secrets: secrets
        .filter(secret => secret.client_id === row.client_id)
        .map(secret => ({ createdAt: secret.created_at, expiresAt: secret.expires_at })),
    })),
    keys: keys.map(({ kid, created_at }) => ({ kid, createdAt: created_at })),
  }
}
