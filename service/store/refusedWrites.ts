import { sql } from 'kysely'
import { readErrorCode, readSqliteCode } from './errors.ts'
import { hasRowLocks } from './locks.ts'
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
 * Returns whether the store refuses writes: PostgreSQL as a standby, or when its administrator has set it so, and any store whose
 * disk took no write a moment ago.
 * @param now by `performance.now()`
 */
export async function refusesWrites(db: Store, now = performance.now()): Promise<boolean> {
  if (now - (refusals.get(db) ?? Number.NEGATIVE_INFINITY) < refusalLifetime) return true
  if (!hasRowLocks(db)) return false
  const { rows } = await sql<{ value: string }>`select current_setting('transaction_read_only') as value`.execute(db)
  const isReadOnly = rows[0]?.value === 'on'
  if (isReadOnly) replacements.get(db)?.()
  return isReadOnly
}
