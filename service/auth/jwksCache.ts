import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose'
import type { SigningKeys } from './signingKeys.ts'

/** A cache of the public keys whose tokens are accepted. */
export interface JwksCache {
  /** The keys of the last read. */
  cached(): JWTVerifyGetKey
  /** The keys of a read that starts after this call, including keys that another process has added. */
  refresh(): Promise<JWTVerifyGetKey>
}

/**
 * Caches the keys of the store. Refreshes are coalesced, so forged tokens cause at most one read of the store at a time.
 * A refresh never returns the result of a read that started before it, so a token by a new key is always accepted.
 */
export async function createJwksCache(keys: Pick<SigningKeys, 'read'>): Promise<JwksCache> {
  let current = createLocalJWKSet(await keys.read())
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<JWTVerifyGetKey> | undefined

  async function readAfter(earlier: Promise<unknown>): Promise<JWTVerifyGetKey> {
    await earlier.catch(() => undefined)
    next = undefined
    current = createLocalJWKSet(await keys.read())
    return current
  }

  function refresh(): Promise<JWTVerifyGetKey> {
    if (next === undefined) {
      next = readAfter(last)
      last = next
    }
    return next
  }

  return { cached: () => current, refresh }
}
