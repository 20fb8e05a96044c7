import type { StoreTransaction } from '../store/index.ts'
import { bumpRevision } from '../store/revision.ts'
import { lockClient, lockTenant } from './load.ts'

/** A client, or a tenant with all its clients. */
export type Target = { readonly clientId: string } | { readonly tenantId: string }

/** Ends all tokens of a client. */
export async function revokeTokens(tx: StoreTransaction, clientId: string, now: number): Promise<void> {
  await lockClient(tx, clientId)
  await endTokens(tx, { clientId }, now)
}

/** Switches a client off, or a tenant: sign-ins are refused, and all tokens end. */
export async function disable(tx: StoreTransaction, target: Target, now: number): Promise<void> {
  await setDisabledAt(tx, target, now)
  await endTokens(tx, target, now)
}

/** Switches a client or a tenant on again. Tokens from before stay revoked. */
export async function enable(tx: StoreTransaction, target: Target): Promise<void> {
  await setDisabledAt(tx, target, null)
}

async function setDisabledAt(tx: StoreTransaction, target: Target, disabled_at: number | null): Promise<void> {
  if ('clientId' in target) {
    await lockClient(tx, target.clientId)
    await tx.updateTable('clients').set({ disabled_at }).where('client_id', '=', target.clientId).execute()
    return
  }
  await lockTenant(tx, target.tenantId)
  await tx.updateTable('tenants').set({ disabled_at }).where('tenant_id', '=', target.tenantId).execute()
}

/** Starts a new generation of the clients' tokens, later than any before, even if this clock is behind. */
async function endTokens(tx: StoreTransaction, target: Target, now: number): Promise<void> {
  const [column, value] =
    'clientId' in target ? (['client_id', target.clientId] as const) : (['tenant_id', target.tenantId] as const)
  const clients = await tx
    .selectFrom('clients')
    .select(['client_id', 'token_generation'])
    .where(column, '=', value)
    .execute()
  for (const { client_id, token_generation } of clients) {
    await tx
      .updateTable('clients')
      .set({ token_generation: Math.max(now, token_generation + 1) })
      .where('client_id', '=', client_id)
      .execute()
  }
  await bumpRevision(tx)
}
