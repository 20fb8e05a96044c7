import { Pool, type PoolClient, type PoolConfig } from 'pg'

/** Milliseconds between two replacements. A database that stays read-only must not cost a connect for each refused write. */
const replacementInterval = 1_000

/**
 * A pool whose connections can be replaced. A session that began on a former primary stays read-only, and the pool would keep
 * it for as long as it is in use, even when new sessions reach the new primary.
 */
export class ReplaceablePool extends Pool {
  readonly #generations = new WeakMap<PoolClient, number>()
  #generation = 0
  #isReplacementDue = false
  /** By `performance.now()`. */
  #replacedAt = Number.NEGATIVE_INFINITY

  constructor(config: PoolConfig) {
    super(config)
    this.on('connect', client => this.#generations.set(client, this.#generation))
  }

  /** Replaces the connections that are open now, or a second after the last replacement those that are open then. */
  replaceAll(): void {
    this.#isReplacementDue = true
    this.#replaceIfDue()
  }

  // Kysely uses this overload only.
  override async connect(): Promise<PoolClient> {
    this.#replaceIfDue()
    for (;;) {
      const client = await super.connect()
      if (this.#generations.get(client) === this.#generation) return client
      client.release(true)
    }
  }

  #replaceIfDue(): void {
    const now = performance.now()
    if (!this.#isReplacementDue || now - this.#replacedAt < replacementInterval) return
    this.#isReplacementDue = false
    this.#replacedAt = now
    this.#generation++
  }
}
