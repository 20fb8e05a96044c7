import { findSecret, insertSecret, setExpiry, wasRemoved } from '../auth/index.ts'
import type { StoreTransaction } from '../store/index.ts'
import type { ClientRow, ClientSecretRow } from '../store/tables.ts'
import type { DeclaredClient, Topology } from './shape.ts'

/**
 * Inserts API clients, and applies the changed secret of clients whose secrets the command has never changed. A
 * removed client stays removed, and a secret that was replaced stays expired.
 * @returns the ids of clients that do not have the secret of the topology
 */
export async function applyClients(tx: StoreTransaction, { tenants }: Topology, now: number): Promise<string[]> {
  const ignored: string[] = []
  for (const { name, clients } of tenants) {
    const isTenantRemoved = await wasRemoved(tx, 'tenant', name)
    for (const client of clients) {
      const isRemoved = isTenantRemoved || (await wasRemoved(tx, 'client', client.clientId))
      if (!isRemoved) await applyClient(tx, name, client, now)
      if (isRemoved || !(await hasSecret(tx, client, now))) ignored.push(client.clientId)
    }
  }
  return ignored
}

async function hasSecret(
  tx: StoreTransaction,
  { clientId, clientSecret }: DeclaredClient,
  now: number,
): Promise<boolean> {
  const stored = await tx.selectFrom('client_secrets').selectAll().where('client_id', '=', clientId).execute()
  return (
    findSecret(
      stored.filter(row => isValid(row, now)),
      clientSecret,
    ) !== undefined
  )
}

async function applyClient(
  tx: StoreTransaction,
  tenantId: string,
  { clientId, clientSecret }: DeclaredClient,
  now: number,
): Promise<void> {
  const stored = await tx.selectFrom('clients').selectAll().where('client_id', '=', clientId).executeTakeFirst()
  if (stored === undefined) {
    const client: ClientRow = {
      client_id: clientId,
      tenant_id: tenantId,
      token_generation: 0,
      secrets_from_topology: 1,
      disabled_at: null,
    }
    await tx.insertInto('clients').values(client).execute()
  } else if (stored.tenant_id !== tenantId) {
    throw new Error(`topology: the client ${clientId} must stay with the tenant ${stored.tenant_id}, not ${tenantId}`)
  } else if (stored.secrets_from_topology === 0) {
    return
  }
  await applySecret(tx, clientId, clientSecret, now)
}

/** Ends the other secrets of a client. An old file, whose secret has ended, changes nothing. */
async function applySecret(tx: StoreTransaction, clientId: string, secret: string, now: number): Promise<void> {
  const stored = await tx.selectFrom('client_secrets').selectAll().where('client_id', '=', clientId).execute()
  const match = findSecret(stored, secret)
  if (match !== undefined && !isValid(match, now)) return
  if (match === undefined) await insertSecret(tx, { clientId, secret, createdAt: now, expiresAt: null })
  for (const row of stored) if (row !== match && isValid(row, now)) await setExpiry(tx, row, now)
}

function isValid({ expires_at }: ClientSecretRow, now: number): boolean {
  return expires_at === null || expires_at > now
}
