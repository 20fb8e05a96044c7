import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryCompiler,
  SqliteAdapter,
  SqliteDialect,
} from 'kysely'
import { EmbeddedConnection, immediateTransaction } from './connection.ts'
import { EmbeddedQueryCompiler, openDatabase } from './database.ts'

/** Kysely's SQLite dialect on Node's built-in SQLite. */
export function embeddedDialect(path: string, busyTimeout: number): Dialect {
  return dialectOf(() => new EmbeddedConnection(openDatabase(path, busyTimeout), immediateTransaction))
}

/** The same on a connection that the caller opens. */
export function dialectOf(open: () => EmbeddedConnection): Dialect {
  return new EmbeddedDialect(open)
}

class EmbeddedDialect extends SqliteDialect {
  readonly #open: () => EmbeddedConnection

  constructor(open: () => EmbeddedConnection) {
    super({
      database: () => {
        throw new Error('An embedded store opens its connection.')
      },
    })
    this.#open = open
  }

  override createAdapter(): SqliteAdapter {
    return new EmbeddedAdapter()
  }

  override createDriver(): Driver {
    return new EmbeddedDriver(this.#open)
  }

  override createQueryCompiler(): QueryCompiler {
    return new EmbeddedQueryCompiler()
  }
}

/** SQLite rolls schema changes back, so a failed migration leaves nothing behind. */
class EmbeddedAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class EmbeddedDriver implements Driver {
  readonly #open: () => EmbeddedConnection
  #connection: EmbeddedConnection | undefined

  constructor(open: () => EmbeddedConnection) {
    this.#open = open
  }

  async init(): Promise<void> {
    this.#connection = this.#open()
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#require()
  }

  async beginTransaction(): Promise<void> {
    this.#require().begin()
  }

  async commitTransaction(): Promise<void> {
    this.#require().commit()
  }

  async rollbackTransaction(): Promise<void> {
    this.#require().rollBack()
  }

  /** Kysely gives the one connection to one user at a time. */
  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#connection?.close()
  }

  #require(): EmbeddedConnection {
    if (this.#connection === undefined) throw new Error('The embedded store is not open.')
    return this.#connection
  }
}
