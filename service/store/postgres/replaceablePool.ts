import { Pool, type PoolClient, type PoolConfig } from 'pg'

/** Milliseconds between two replacements. A database that stays read-only must not cost a connect for each refused write. */
const replacementInterval = 1_000

/**
 * A pool whose connections can be replaced. A session that began on a former primary stays read-only, and the pool would keep
 * it for as long as it is in use, also when new sessions reach the new primary.
 */
export class ReplaceablePool extends Pool {
  readonly #generations = new WeakMap<PoolClient, number>()
  #generation = 0
  /** By `performance.now()`. */
  #replacedAt = Number.NEGATIVE_INFINITY

  constructor(config: PoolConfig) {
    super(config)
    this.on('connect', client => this.#generations.set(client, this.#generation))
  }

  /** Replaces the connections that are open now. Has no effect within a second of the last time. */
  replaceAll(): void {
    const now = performance.now()
    if (now - this.#replacedAt < replacementInterval) return
    this.#replacedAt = now
    this.#generation++
  }

  // Kysely uses this overload only.
  override async connect(): Promise<PoolClient> {
    for (;;) {
      const client = await super.connect()
      if (this.#generations.get(client) === this.#generation) return client
      client.release(true)
    }
  }
}
