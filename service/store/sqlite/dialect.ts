import { DatabaseSync } from 'node:sqlite'
import {
  type Dialect,
  type Driver,
  type LimitNode,
  type QueryCompiler,
  SqliteAdapter,
  SqliteDialect,
  SqliteQueryCompiler,
} from 'kysely'
import { createCheckpoints } from './checkpoints/checkpoints.ts'
import { createDriver, EmbeddedConnection, immediateTransaction, prepareStatements } from './database.ts'

/**
 * Kysely's SQLite dialect on Node's built-in SQLite.
 * @param content of another database, which one in memory starts with
 */
export function embeddedDialect(path: string, busyTimeout: number, content?: Uint8Array): Dialect {
  return dialectOf(() => openFile(path, busyTimeout, content))
}

/** Kysely's SQLite dialect on a connection that the caller opens. */
export function dialectOf(open: () => EmbeddedConnection): Dialect {
  return new EmbeddedDialect(open)
}

/**
 * Opens a database file with settings that survive a power cut without loss.
 * @param busyTimeout how long a statement waits for another process's lock, in milliseconds
 */
function openFile(path: string, busyTimeout: number, content?: Uint8Array): EmbeddedConnection {
  const database = new DatabaseSync(path, { timeout: busyTimeout, enableForeignKeyConstraints: true })
  if (content !== undefined) database.deserialize(content)
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = full')
  // Overwrites what a statement deletes in the pages that it writes anyway, such as accounts.
  database.exec('pragma secure_delete = fast')
  // Kibibytes.
  database.exec('pragma cache_size = -65536')
  // The original pages of savepoints. In a file, they would be half of all writes, and need a folder that the process may write to.
  database.exec('pragma temp_store = memory')
  const checkpoints = path === ':memory:' ? undefined : createCheckpoints(path, database)
  return new EmbeddedConnection(prepareStatements(database), immediateTransaction, checkpoints)
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
    return createDriver(this.#open)
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

/**
 * SQLite plans a query by the value of a parameter that is its limit, and prepares the statement again for each execution. It
 * does not read the value of an expression.
 */
class EmbeddedQueryCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    this.append('limit cast(')
    this.visitNode(node.limit)
    this.append(' as integer)')
  }
}
