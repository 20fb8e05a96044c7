import { type DatabaseConnection, PostgresDialect, type PostgresDialectConfig, PostgresDriver } from 'kysely'
import { takeDeferred } from '../statements.ts'
import { abortedTransaction } from './pipelinedClient.ts'

/** Kysely's PostgreSQL dialect for connections that pipeline. */
export class PipelinedDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): PostgresDriver {
    return new PipelinedDriver(this.#config)
  }
}

/** Sends the start of a transaction with its first statements, and the commit with its last ones. */
class PipelinedDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: Parameters<PostgresDriver['beginTransaction']>[1],
  ): Promise<void> {
    // The next statement fails, too, and reports it.
    super.beginTransaction(connection, settings).catch(() => undefined)
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const outcomes = await Promise.allSettled([...takeDeferred(connection), super.commitTransaction(connection)])
    throwFirst(outcomes)
  }

  /** @throws the error of a deferred statement, which is the cause of any later error */
  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    const deferred = takeDeferred(connection)
    await super.rollbackTransaction(connection)
    throwFirst(await Promise.allSettled(deferred))
  }
}

function throwFirst(outcomes: readonly PromiseSettledResult<unknown>[]): void {
  for (const outcome of outcomes)
    if (outcome.status === 'rejected' && outcome.reason?.code !== abortedTransaction) throw outcome.reason
}
