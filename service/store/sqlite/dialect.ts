import { type Dialect, SqliteAdapter, SqliteDialect } from 'kysely'
import { openDatabase } from './database.ts'

/** Kysely's SQLite dialect on Node's built-in SQLite. */
export function embeddedDialect(path: string, busyTimeout: number): Dialect {
  return new EmbeddedDialect({ database: async () => openDatabase(path, busyTimeout) })
}

class EmbeddedDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new EmbeddedAdapter()
  }
}

/** SQLite undoes schema changes like any other, so that a migration that fails half way leaves nothing behind. */
class EmbeddedAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}
