import { randomBytes } from 'node:crypto'
import { forgetRemoval, insertSecret, setExpiry } from '../auth/index.ts'
import { ArgumentError } from '../operationError.ts'
import type { StoreTransaction } from '../store/index.ts'
import type { ClientSecretRow } from '../store/tables.ts'
import { lockClient, lockTenant } from './load.ts'

/** Length of generated secrets: 43 characters. */
const secretBytes = 32
const maxIdLength = 64

/** A secret that is shown once. Moments are milliseconds since 1970. */
export interface NewSecret {
  readonly clientId: string
  readonly clientSecret: string
  readonly expiresAt: number | null
  /** The end of the last earlier secret, if there is one. */
  readonly previousExpiresAt?: number
}

export interface AddOptions {
  readonly clientId: string
  readonly tenantId: string
  /** Milliseconds until the secret expires. */
  readonly lifetime?: number | undefined
  readonly now: number
}

/** Adds a client with a new secret, including one that was removed before. @throws Error when the client exists */
export async function addClient(tx: StoreTransaction, options: AddOptions): Promise<NewSecret> {
  const { clientId, tenantId, lifetime, now } = options
  if (!/^[\x21-\x7e]+$/.test(clientId) || clientId.length > maxIdLength) {
    throw new ArgumentError(`client id: must be 1 to ${maxIdLength} printable characters without blanks.`)
  }
  await lockTenant(tx, tenantId)
  const existing = await tx
    .selectFrom('clients')
    .select('client_id')
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  if (existing !== undefined) throw new Error(`client id: must be new; rotate gives ${clientId} another secret.`)
  await forgetRemoval(tx, 'client', clientId)
  await tx
    .insertInto('clients')
    .values({
      client_id: clientId,
      tenant_id: tenantId,
      // A removed client of this id may have had tokens.
      token_generation: now,
      secrets_from_topology: 0,
      disabled_at: null,
    })
    .execute()
  return generateSecret(tx, clientId, lifetime, now)
}

export interface RotateOptions {
  readonly clientId: string
  /** Milliseconds that earlier secrets are still accepted. */
  readonly overlap: number
  readonly lifetime?: number | undefined
  readonly now: number
}

/** Gives a client a new secret, and the earlier ones an end. */
export async function rotateSecret(tx: StoreTransaction, options: RotateOptions): Promise<NewSecret> {
  const { clientId, overlap, lifetime, now } = options
  await lockClient(tx, clientId)
  const valid = await findValidSecrets(tx, clientId, now)
  const ends = valid.map(({ expires_at }) => Math.min(expires_at ?? Number.POSITIVE_INFINITY, now + overlap))
  for (const [at, secret] of valid.entries()) await setExpiry(tx, secret, ends[at] ?? now)
  await tx.updateTable('clients').set({ secrets_from_topology: 0 }).where('client_id', '=', clientId).execute()
  const made = await generateSecret(tx, clientId, lifetime, now)
  return valid.length === 0 ? made : { ...made, previousExpiresAt: Math.max(...ends) }
}

async function generateSecret(
  tx: StoreTransaction,
  clientId: string,
  lifetime: number | undefined,
  now: number,
): Promise<NewSecret> {
  const clientSecret = randomBytes(secretBytes).toString('base64url')
  const expiresAt = lifetime === undefined ? null : now + lifetime
  await insertSecret(tx, { clientId, secret: clientSecret, createdAt: now, expiresAt })
  return { clientId, clientSecret, expiresAt }
}

/** The older first. */
function findValidSecrets(tx: StoreTransaction, clientId: string, now: number): Promise<ClientSecretRow[]> {
  return tx
    .selectFrom('client_secrets')
    .selectAll()
    .where('client_id', '=', clientId)
    .where(eb => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('created_at')
    .execute()
}
