import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
} from 'jose'
import { inTransaction, type Store, type StoreTransaction, takeTurn } from '../store/index.ts'
import type { SigningKeyRow } from '../store/tables.ts'
import { algorithmOf, madeAlgorithm, publicPart } from './algorithm.ts'

/** How much longer than its tokens live a replaced key is accepted, in milliseconds: as long as a roll-out takes. */
const handover = 86_400_000

export interface SigningKeys {
  readonly kid: string
  readonly algorithm: string
  readonly key: CryptoKey | Uint8Array
  /** The public keys whose tokens are accepted now, read anew from the store. */
  read(): Promise<JSONWebKeySet>
}

/** A private key and where it came from. */
interface Held {
  readonly kid: string
  readonly jwk: JWK
}

/**
 * Opens the key that signs tokens: the given one, or one that is made once and kept in the store. Public parts are
 * kept in either case, so that tokens outlive the replacement of their key.
 * @param tokenLife seconds
 * @throws Error when the given key is not a private key for signatures
 */
export async function openSigningKeys(
  store: Store,
  { signingKey, tokenLife, clock }: { signingKey: JWK | undefined; tokenLife: number; clock: () => number },
): Promise<SigningKeys> {
  const { kid, jwk } = await inTransaction(store, async tx => {
    await takeTurn(tx, 'signingKeys')
    return signingKey === undefined ? keptKey(tx, clock()) : givenKey(tx, signingKey, clock())
  })
  const algorithm = algorithmOf(jwk)
  if (algorithm === undefined || jwk.d === undefined) throw new Error('the signing key is not a private key')
  return {
    kid,
    algorithm,
    key: await importJWK(jwk, algorithm),
    async read() {
      const rows = await store.selectFrom('signing_keys').selectAll().orderBy('created', 'desc').execute()
      const until = clock() - handover - tokenLife * 1_000
      // A key was replaced when the next one came; the newest one never was.
      const accepted = rows.filter((_, at) => (rows[at - 1]?.created ?? Number.POSITIVE_INFINITY) > until)
      return { keys: accepted.map(published) }
    },
  }
}

async function keptKey(tx: StoreTransaction, now: number): Promise<Held> {
  const rows = await tx.selectFrom('signing_keys').selectAll().orderBy('created', 'desc').execute()
  const kept = rows.map(row => ({ kid: row.kid, jwk: jwkOf(row) })).find(({ jwk }) => jwk.d !== undefined)
  if (kept === undefined) return makeKey(tx, now)
  await putFirst(tx, rows, kept.kid, JSON.stringify(kept.jwk), now)
  return kept
}

async function makeKey(tx: StoreTransaction, now: number): Promise<Held> {
  const { privateKey } = await generateKeyPair(madeAlgorithm, { extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  await tx
    .insertInto('signing_keys')
    .values({ kid, jwk: JSON.stringify(jwk), created: now })
    .execute()
  return { kid, jwk }
}

async function givenKey(tx: StoreTransaction, jwk: JWK, now: number): Promise<Held> {
  const rows = await tx.selectFrom('signing_keys').selectAll().orderBy('created', 'desc').execute()
  const kid = await kidOf(jwk, rows)
  await putFirst(tx, rows, kid, JSON.stringify(publicPart(jwk)), now)
  return { kid, jwk }
}

/** A key that takes the place of another one under the same name has to be told from it by both their tokens. */
async function kidOf(jwk: JWK, rows: readonly SigningKeyRow[]): Promise<string> {
  const thumbprint = await calculateJwkThumbprint(jwk)
  const namesake = rows.find(({ kid }) => kid === jwk.kid)
  const isTaken = namesake !== undefined && (await calculateJwkThumbprint(jwkOf(namesake))) !== thumbprint
  return isTaken ? thumbprint : (jwk.kid ?? thumbprint)
}

/** The key in use is the newest one, also when it has been in use before. */
async function putFirst(tx: StoreTransaction, rows: SigningKeyRow[], kid: string, jwk: string, now: number) {
  if (rows[0]?.kid === kid) return
  // The newest one, also by a clock that is behind that of the process before.
  const created = Math.max(now, (rows[0]?.created ?? 0) + 1)
  await tx
    .insertInto('signing_keys')
    .values({ kid, jwk, created })
    .onConflict(conflict => conflict.column('kid').doUpdateSet({ created }))
    .execute()
}

function published(row: SigningKeyRow): JWK {
  const jwk = publicPart(jwkOf(row))
  const alg = algorithmOf(jwk)
  return { ...jwk, kid: row.kid, use: 'sig', ...(alg !== undefined && { alg }) }
}

function jwkOf({ jwk }: SigningKeyRow): JWK {
  return JSON.parse(jwk)
}
