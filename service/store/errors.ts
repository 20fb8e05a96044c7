/** SQLite's primary result codes for an unavailable database, as opposed to a faulty statement. */
const sqliteCodes: ReadonlySet<number> = new Set([
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

/** PostgreSQL's SQLSTATEs for the same, by class or in full. */
const sqlStates: ReadonlySet<string> = new Set([
  '08', // connection
  '53', // out of memory, disk or connections
  '57', // shutting down, starting up, cancelled
  '58', // system error
  '28000', // authorization revoked
  '28P01',
  '3D000', // database missing
  '0A000', // cached plan invalidated by a schema change
  '25006', // read-only standby
  '25P03', // idle in transaction timeout
  '25P04', // transaction timeout
  '55P03', // lock timeout
  '40001', // serialization failure after all retries
  '40P01',
  'XX', // internal error or corruption
])

/** Node's codes for a failed connection, even of a process or machine without free file descriptors, ports or buffers. */
const networkCode =
  /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|EMFILE|ENFILE|EADDRNOTAVAIL|ENOBUFS)/

/** Messages of driver errors without a code. */
const driverMessages: ReadonlySet<string> = new Set([
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

/** Returns whether an error means that the store is unavailable, as opposed to a bug of the service. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // Node tried several addresses of the host.
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  const sqliteCode = readSqliteCode(error)
  if (sqliteCode !== undefined) return sqliteCodes.has(sqliteCode)
  const code = readErrorCode(error) ?? ''
  if (networkCode.test(code) || sqlStates.has(code) || sqlStates.has(code.slice(0, 2))) return true
  return driverMessages.has(error.message) || isTlsError(error)
}

/** Returns whether PostgreSQL has refused a statement, so that nothing of it is committed. */
export function isRefused(error: unknown): boolean {
  // Only an answer of the server has a severity.
  return error instanceof Error && 'severity' in error && !isUnavailable(error)
}

/** Node's codes of a certificate that is not accepted, and of a failed handshake. */
const tlsCode = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_|ERR_SSL_)/

/** Message of the driver when the server refuses TLS. */
const noTls = 'The server does not support SSL connections'

/** Returns whether a connection failed because of TLS. */
export function isTlsError(error: unknown): boolean {
  return error instanceof Error && (error.message === noTls || tlsCode.test(readErrorCode(error) ?? ''))
}

/** Returns SQLite's primary result code. Undefined for an error of another source. */
export function readSqliteCode(error: unknown): number | undefined {
  // An extended code has more bits.
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined
}

/** Returns the SQLSTATE of an error of PostgreSQL, or the code of an error of Node. */
export function readErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
