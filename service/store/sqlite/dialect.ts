import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryCompiler,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely'
import { EmbeddedQueryCompiler, openDatabase } from './database.ts'

/** Kysely's SQLite dialect on Node's built-in SQLite. */
export function embeddedDialect(path: string, busyTimeout: number): Dialect {
  return dialectOf(() => openDatabase(path, busyTimeout))
}

/** The same on a database that the caller opens. */
export function dialectOf(open: () => SqliteDatabase): Dialect {
  return new EmbeddedDialect({ database: async () => open() })
}

class EmbeddedDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig

  constructor(config: SqliteDialectConfig) {
    super(config)
    this.#config = config
  }

  override createAdapter(): SqliteAdapter {
    return new EmbeddedAdapter()
  }

  override createDriver(): Driver {
    return new EmbeddedDriver(this.#config)
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

/** After a disk error SQLite rolls back by itself. The second rollback fails and must not hide the first error. */
class EmbeddedDriver extends SqliteDriver {
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection)
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error
    }
  }
}
