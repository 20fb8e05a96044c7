import { keepSecret, secretHolds } from '../signIn/index.ts'
import type { StoreTransaction } from '../store/index.ts'
import type { Topology } from './shape.ts'

/** Adds the API clients; a secret that the topology changed is replaced. */
export async function applyClients(tx: StoreTransaction, { tenants }: Topology): Promise<void> {
  for (const { name, clients } of tenants) {
    for (const { clientId, clientSecret } of clients) await applyClient(tx, name, clientId, clientSecret)
  }
}

async function applyClient(tx: StoreTransaction, tenantId: string, clientId: string, secret: string): Promise<void> {
  const kept = await tx.selectFrom('clients').selectAll().where('client_id', '=', clientId).executeTakeFirst()
  if (kept === undefined) {
    await tx
      .insertInto('clients')
      .values({ client_id: clientId, tenant_id: tenantId, ...keepSecret(secret) })
      .execute()
    return
  }
  if (kept.tenant_id !== tenantId) {
    throw new Error(`topology: the client ${clientId} belongs to the tenant ${kept.tenant_id}, not to ${tenantId}`)
  }
  if (secretHolds(kept, secret)) return
  await tx.updateTable('clients').set(keepSecret(secret)).where('client_id', '=', clientId).execute()
}
