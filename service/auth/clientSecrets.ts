import type { StoreTransaction } from '../store/index.ts'
import type { ClientSecretRow } from '../store/tables.ts'
import { hashSecret } from './secretHash.ts'

/** A secret in clear. Moments are milliseconds since 1970; one without an end does not expire. */
export interface ClientSecret {
  readonly clientId: string
  readonly secret: string
  readonly createdAt: number
  readonly expiresAt: number | null
}

/** Stores the hash of a secret. */
export async function insertSecret(tx: StoreTransaction, secret: ClientSecret): Promise<void> {
  const row = {
    ...hashSecret(secret.secret),
    client_id: secret.clientId,
    created_at: secret.createdAt,
    expires_at: secret.expiresAt,
  }
  await tx.insertInto('client_secrets').values(row).execute()
}

/** Gives a stored secret another end. */
export async function setExpiry(
  tx: StoreTransaction,
  { client_id, secret_salt }: ClientSecretRow,
  expires_at: number | null,
): Promise<void> {
  await tx
    .updateTable('client_secrets')
    .set({ expires_at })
    .where('client_id', '=', client_id)
    .where('secret_salt', '=', secret_salt)
    .execute()
}
