import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose'
import type { Secrets } from '../encryption/index.ts'
import type { Store } from '../store/index.ts'
import { readRevision } from '../store/revision.ts'
import type { SigningKeys } from './signingKeys.ts'

/** Poll intervals after which the state is read again before a token is accepted. */
const maxAgeInPolls = 10

/** The keys and clients whose tokens are accepted. Each read replaces it as a whole. */
export interface AcceptedState {
  readonly revision: number
  readonly keys: JWTVerifyGetKey
  readonly kids: ReadonlySet<string>
  /** The generation of the tokens of each client. */
  readonly generations: ReadonlyMap<string, number>
  /** `performance.now()` until which the state may be used without another read. */
  readonly usableUntil: number
}

export interface AcceptedTokens {
  /** The state of the last read. A property, since every request reads it. */
  readonly current: AcceptedState
  /** Returns the state of a read that starts after this call. */
  refresh(): Promise<AcceptedState>
  stop(): Promise<void>
}

export interface AcceptedTokensOptions {
  readonly store: Store
  readonly keys: SigningKeys
  readonly secrets: Pick<Secrets, 'refresh'>
  /** Milliseconds between two reads of the revision. Bounds how long another process accepts a revoked token. */
  readonly pollInterval: number
}

/**
 * Keeps the generations of all clients and the signing keys in memory, so that a revoked token is rejected without a
 * query per request. Refreshes are coalesced: forged tokens cause at most one read of the store at a time.
 */
export async function createAcceptedTokens(options: AcceptedTokensOptions): Promise<AcceptedTokens> {
  const { store, keys, secrets, pollInterval } = options
  const accepted = { current: await read() }
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<AcceptedState> | undefined
  let polling: Promise<void> | undefined
  let timer = schedule()

  async function read(): Promise<AcceptedState> {
    const usableUntil = performance.now() + maxAgeInPolls * pollInterval
    // First: a change after this read has a later revision, so the next poll reads again.
    const revision = await readRevision(store)
    await secrets.refresh()
    const jwks = await keys.read()
    const clients = await store.selectFrom('clients').select(['client_id', 'token_generation']).execute()
    const kids = new Set(jwks.keys.map(({ kid }) => kid ?? ''))
    const generations = new Map(clients.map(row => [row.client_id, row.token_generation]))
    if (!kids.has(keys.current().kid)) await keys.reload()
    return { revision, keys: createLocalJWKSet(jwks), kids, generations, usableUntil }
  }

  /** Never returns the result of a read that started before it, so a token of a new key or client is always accepted. */
  async function readAfter(earlier: Promise<unknown>): Promise<AcceptedState> {
    await earlier.catch(() => undefined)
    next = undefined
    accepted.current = await read()
    return accepted.current
  }

  function refresh(): Promise<AcceptedState> {
    if (next === undefined) {
      next = readAfter(last)
      last = next
    }
    return next
  }

  async function poll(): Promise<void> {
    try {
      const usableUntil = performance.now() + maxAgeInPolls * pollInterval
      const revision = await readRevision(store)
      if (revision === accepted.current.revision) accepted.current = { ...accepted.current, usableUntil }
      else await refresh()
    } catch {
      // Without the store, requests fail for themselves, and a state that is too old is read again by its next user.
    }
  }

  function schedule(): NodeJS.Timeout {
    return setTimeout(() => {
      polling = poll().finally(() => {
        polling = undefined
        timer = schedule()
      })
    }, pollInterval).unref()
  }

  async function stop(): Promise<void> {
    clearTimeout(timer)
    await polling
    clearTimeout(timer)
    await last.catch(() => undefined)
  }

  return Object.assign(accepted, { refresh, stop })
}
