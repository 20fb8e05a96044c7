import { sql } from 'kysely'
import { readErrorCode, readSqliteCode } from './errors.ts'
import { hasRowLocks } from './locks.ts'
import { hasLostFile } from './sqlite/lostFile.ts'
import type { Store } from './store.ts'

/** Milliseconds for which a refused write counts. A supervisor asks every ten seconds, and acts after a few times. */
const refusalLifetime = 30_000

/** SQLite's primary result codes for a write that the disk refuses: read-only, failed and full. */
const sqliteCodes: ReadonlySet<number> = new Set([8, 10, 13])
/** PostgreSQL's SQLSTATE for a full disk. */
const diskFull = '53100'
/** PostgreSQL's SQLSTATE for a write in a read-only session. */
const readOnlySession = '25006'

/** When the last write was refused, by `performance.now()`. */
const refusals = new WeakMap<Store, number>()

const replacements = new WeakMap<Store, () => void>()

/**
 * Calls `replace` when a session of the store is read-only. After a switchover all sessions may lead to the former primary, which
 * also reads late, and only a new session reaches the new one.
 */
export function replaceWhenReadOnly(store: Store, replace: () => void): void {
  replacements.set(store, replace)
}

/** Remembers that the store refuses writes if this error of a transaction says so. Reads still succeed. */
export function noteRefusedWrite(store: Store, error: unknown): void {
  if (isRefusedWrite(error)) refusals.set(store, performance.now())
  if (readErrorCode(error) === readOnlySession) replacements.get(store)?.()
}

function isRefusedWrite(error: unknown): boolean {
  const sqliteCode = readSqliteCode(error)
  return sqliteCode === undefined ? readErrorCode(error) === diskFull : sqliteCodes.has(sqliteCode)
}

/**
 * Finds out why writes to the store fail or are lost: PostgreSQL is a standby, or its administrator has set it read-only; the
 * disk of any store took no write a moment ago; or the file of an embedded store was moved, replaced or deleted.
 * @param now by `performance.now()`
 * @returns a sentence without a full stop; undefined for a store that takes writes
 */
export async function findWriteFault(db: Store, now = performance.now()): Promise<string | undefined> {
  if (hasLostFile(db)) return 'The file of the store was moved, replaced or deleted'
  return (await refusesWrites(db, now)) ? 'The store accepts no writes' : undefined
}

async function refusesWrites(db: Store, now: number): Promise<boolean> {
  if (now - (refusals.get(db) ?? Number.NEGATIVE_INFINITY) < refusalLifetime) return true
  if (!hasRowLocks(db)) return false
  const { rows } = await sql<{ value: string }>`select current_setting('transaction_read_only') as value`.execute(db)
  const isReadOnly = rows[0]?.value === 'on'
  if (isReadOnly) replacements.get(db)?.()
  return isReadOnly
}
