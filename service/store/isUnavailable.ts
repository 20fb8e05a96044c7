/** SQLite's primary result codes that say "not now" or "not here", and nothing about the statement. */
const embedded: ReadonlySet<number> = new Set([
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

/** The same of PostgreSQL, by the class of its SQLSTATE or the whole of it. */
const postgres: ReadonlySet<string> = new Set([
  '08', // connection
  '53', // out of memory, disk or connections
  '57', // shutting down, starting up, cancelled
  '58', // system error
  '28000', // not allowed in any more
  '28P01',
  '3D000', // no such database
  '0A000', // a table has changed under a prepared statement
  '25006', // read only: a stand-by
  '25P03', // idle in a transaction for too long
  '55P03', // somebody else's lock
  '40001', // others came in the way again and again
  '40P01',
  'XX', // damaged, or an error inside
])

/** Node's codes for a connection that is not there. */
const network = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/

/** What drivers say without a code. */
const sentences: ReadonlySet<string> = new Set([
  'driver has already been destroyed',
  'database is not open',
  'Cannot use a pool after calling end on the pool',
  'statement has been finalized',
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Query read timeout',
])

/** Whether a failure means that the store cannot answer now, rather than that the service is wrong. */
export function storeIsAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // Several addresses, none of which answered.
  if (error instanceof AggregateError) return error.errors.some(storeIsAway)
  if ('errcode' in error && typeof error.errcode === 'number') return embedded.has(error.errcode & 0xff)
  if ('code' in error && typeof error.code === 'string') {
    if (network.test(error.code) || postgres.has(error.code) || postgres.has(error.code.slice(0, 2))) return true
  }
  return sentences.has(error.message)
}
