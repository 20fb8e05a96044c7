/** SQLite's primary result codes that say "not now" or "not here", and nothing about the statement. */
const away: ReadonlySet<number> = new Set([
  5, // SQLITE_BUSY
  6, // SQLITE_LOCKED
  7, // SQLITE_NOMEM
  8, // SQLITE_READONLY
  10, // SQLITE_IOERR
  11, // SQLITE_CORRUPT
  13, // SQLITE_FULL
  14, // SQLITE_CANTOPEN
  26, // SQLITE_NOTADB
])

/** Whether a failure means that the store cannot answer now, rather than that the service is wrong. */
export function storeIsAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('errcode' in error && typeof error.errcode === 'number') return away.has(error.errcode & 0xff)
  return error.message === 'driver has already been destroyed' || error.message === 'database is not open'
}
