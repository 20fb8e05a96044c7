import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose'
import type { SigningKeys } from './keys.ts'

/** The keys whose tokens are accepted, remembered. */
export interface KnownKeys {
  /** As they were read last. */
  now(): JWTVerifyGetKey
  /** As they are at this call or later: what another process has added before it is there. */
  anew(): Promise<JWTVerifyGetKey>
}

/**
 * Remembers the keys of the store. Whoever asks anew waits for a read that begins afterwards, and all who wait share
 * it: tokens that somebody makes up cost the store one small read at a time, and never a good token its answer.
 */
export async function createKnownKeys(keys: Pick<SigningKeys, 'read'>): Promise<KnownKeys> {
  let known = createLocalJWKSet(await keys.read())
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<JWTVerifyGetKey> | undefined

  async function readAfter(earlier: Promise<unknown>): Promise<JWTVerifyGetKey> {
    await earlier.catch(() => undefined)
    next = undefined
    known = createLocalJWKSet(await keys.read())
    return known
  }

  function anew(): Promise<JWTVerifyGetKey> {
    if (next === undefined) {
      next = readAfter(last)
      last = next
    }
    return next
  }

  return { now: () => known, anew }
}
