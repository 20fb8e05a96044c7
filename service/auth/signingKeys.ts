import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
} from 'jose'
import { SettingsError } from '#platform/settings'
import { recordAudit } from '../audit/index.ts'
import type { Secrets } from '../encryption/index.ts'
import { ArgumentError } from '../operationError.ts'
import { advisoryLock, inTransaction, type Store, type StoreTransaction } from '../store/index.ts'
import { bumpRevision } from '../store/revision.ts'
import type { SigningKeyRow } from '../store/tables.ts'
import { findAlgorithm, parseJwk, removePrivatePart, toPublicJwk } from './jwk.ts'
import { recordRemoval, wasRemoved } from './removals.ts'

/** Milliseconds for which a replaced key is accepted beyond the lifetime of its tokens: the length of a roll-out. */
const keyOverlap = 86_400_000

/** The algorithm of keys that the service generates; every JWT library supports it. */
const defaultAlgorithm = 'ES256'

/** The key that signs tokens now. */
export interface CurrentKey {
  readonly kid: string
  readonly algorithm: string
  readonly key: CryptoKey | Uint8Array
}

export interface SigningKeys {
  current(): CurrentKey
  /** Reads the public keys whose tokens are accepted now from the store. */
  read(): Promise<JSONWebKeySet>
  /** Signs with the store's newest key, after the previous one was revoked. A configured key stays. */
  reload(): Promise<void>
}

/** A private key and its id. */
interface SigningKey {
  readonly kid: string
  readonly jwk: JWK
}

export interface SigningKeyOptions {
  readonly signingKey: JWK | undefined
  /** Seconds. */
  readonly tokenLifetime: number
  readonly secrets: Secrets
  readonly clock: () => number
}

/**
 * Opens the key that signs tokens: the configured one, or one that the service generates once and stores. The public
 * part is stored in either case, so that tokens outlive the replacement of their key.
 * @throws Error when the configured key is not a private key for signatures
 */
export async function openSigningKeys(
  store: Store,
  { signingKey, tokenLifetime, secrets, clock }: SigningKeyOptions,
): Promise<SigningKeys> {
  const load = (): Promise<SigningKey> =>
    inTransaction(store, async tx => {
      await advisoryLock(tx, 'signingKeys')
      return signingKey === undefined ? loadOwnKey(tx, secrets, clock()) : storeConfiguredKey(tx, signingKey, clock())
    })
  let current = await importKey(await load())
  return {
    current: () => current,
    async reload() {
      if (signingKey === undefined) current = await importKey(await load())
    },
    async read() {
      const rows = await readKeys(store)
      const oldest = clock() - keyOverlap - tokenLifetime * 1_000
      // A key was replaced when the next newer one was created. The newest is never replaced.
      const accepted = rows.filter((_, at) => (rows[at - 1]?.created_at ?? Number.POSITIVE_INFINITY) > oldest)
      return { keys: accepted.map(toPublicJwk) }
    },
  }
}

async function importKey({ kid, jwk }: SigningKey): Promise<CurrentKey> {
  const algorithm = findAlgorithm(jwk)
  if (algorithm === undefined || jwk.d === undefined) throw new Error('the signing key is not a private key')
  return { kid, algorithm, key: await importJWK(jwk, algorithm) }
}

/**
 * Ends all tokens of a key. A key that the service generated and that is in use is replaced by a new one first.
 * @throws Error when the key is unknown, or is the configured one that is in use
 */
export async function revokeSigningKey(
  tx: StoreTransaction,
  { kid, secrets, now }: { readonly kid: string; readonly secrets: Secrets; readonly now: number },
): Promise<void> {
  await advisoryLock(tx, 'signingKeys')
  const rows = await readKeys(tx)
  const revoked = rows.find(row => row.kid === kid)
  if (revoked === undefined) throw new ArgumentError(`--key: must be a key of the store, got "${kid}".`)
  if (rows[0] === revoked) {
    if (revoked.private_jwk === null) {
      throw new Error(`--key: must not be in use; set another LOCKERFLOW_SIGNING_KEY and restart every service first.`)
    }
    await createOwnKey(tx, secrets, now)
  }
  await tx.deleteFrom('signing_keys').where('kid', '=', kid).execute()
  await recordRemoval(tx, 'key', kid, now)
  await bumpRevision(tx)
}

/** Newest first. */
export function readKeys(store: Store | StoreTransaction): Promise<SigningKeyRow[]> {
  return store.selectFrom('signing_keys').selectAll().orderBy('created_at', 'desc').execute()
}

async function loadOwnKey(tx: StoreTransaction, secrets: Secrets, now: number): Promise<SigningKey> {
  const rows = await readKeys(tx)
  const own = rows.find(({ private_jwk }) => private_jwk !== null)
  if (own === undefined || own.private_jwk === null) {
    const created = await createOwnKey(tx, secrets, now)
    if (rows.length > 0) await recordRotation(tx, created.kid, now)
    return created
  }
  await makeNewest(tx, rows, own, now)
  return { kid: own.kid, jwk: JSON.parse(secrets.decrypt('signing_keys.private_jwk', own.kid, own.private_jwk)) }
}

async function createOwnKey(tx: StoreTransaction, secrets: Secrets, now: number): Promise<SigningKey> {
  const [newest] = await readKeys(tx)
  const { privateKey } = await generateKeyPair(defaultAlgorithm, { extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  await tx
    .insertInto('signing_keys')
    .values({
      kid,
      jwk: JSON.stringify(removePrivatePart(jwk)),
      private_jwk: secrets.encrypt('signing_keys.private_jwk', kid, JSON.stringify(jwk)),
      created_at: Math.max(now, (newest?.created_at ?? 0) + 1),
    })
    .execute()
  return { kid, jwk }
}

async function storeConfiguredKey(tx: StoreTransaction, jwk: JWK, now: number): Promise<SigningKey> {
  const rows = await readKeys(tx)
  const kid = await chooseKid(jwk, rows)
  if (await wasRemoved(tx, 'key', kid)) {
    const wrong = `must be a new key, because the key ${kid} was revoked`
    throw new SettingsError({ name: 'LOCKERFLOW_SIGNING_KEY', wrong })
  }
  await makeNewest(tx, rows, { kid, jwk: JSON.stringify(removePrivatePart(jwk)) }, now)
  return { kid, jwk }
}

/** The key's own `kid`, or its thumbprint when another key has that `kid`: tokens of both must name different keys. */
async function chooseKid(jwk: JWK, rows: readonly SigningKeyRow[]): Promise<string> {
  const thumbprint = await calculateJwkThumbprint(jwk)
  const namesake = rows.find(({ kid }) => kid === jwk.kid)
  const isTaken = namesake !== undefined && (await calculateJwkThumbprint(parseJwk(namesake))) !== thumbprint
  return isTaken ? thumbprint : (jwk.kid ?? thumbprint)
}

/** A key that takes the place of another one. The first key of a store replaces none. */
function recordRotation(tx: StoreTransaction, kid: string, now: number): Promise<void> {
  return recordAudit(tx, { action: 'key.rotated', actor: 'service', now, subject: kid, detail: 'signing' })
}

/** The key in use is the newest one, even if it was in use before. */
async function makeNewest(
  tx: StoreTransaction,
  rows: SigningKeyRow[],
  { kid, jwk }: Pick<SigningKeyRow, 'kid' | 'jwk'>,
  now: number,
) {
  if (rows[0]?.kid === kid) return
  // Newer than the last one even if this clock is behind that of the previous process.
  const created_at = Math.max(now, (rows[0]?.created_at ?? 0) + 1)
  await tx
    .insertInto('signing_keys')
    .values({ kid, jwk, private_jwk: null, created_at })
    .onConflict(conflict => conflict.column('kid').doUpdateSet({ created_at }))
    .execute()
  if (rows.length > 0) await recordRotation(tx, kid, now)
}
