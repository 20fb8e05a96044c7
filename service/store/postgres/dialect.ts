import { type Dialect, PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'
import { PreparingClient } from './preparingClient.ts'

export interface PostgresLimits {
  /** Connections of this process. */
  readonly connections: number
  /** How long a statement waits for somebody else's lock, in milliseconds; 0 is without end. */
  readonly lockTimeout: number
  /** How long a statement may take, in milliseconds; 0 is without end. The server is given a moment more to say so. */
  readonly statementTimeout: number
}

/** How long a request waits for a connection, in milliseconds. */
const connectTimeout = 5_000
/** A transaction that says nothing for this long is of a process that hangs; doors take less to open. */
const idleTimeout = 20_000
/** How much longer than a statement may take its answer is waited for: a server that is gone says nothing at all. */
const silence = 1_000
/** Sequences, moments and counts stay far below 2^53, so a number will do for what the driver gives as text. */
const bigint = 20

/**
 * Kysely's PostgreSQL dialect on a pool of connections.
 * @param url `postgres://user:secret@host:port/database`, with the driver's parameters, `sslmode` for instance
 */
export function postgresDialect(url: string, limits: PostgresLimits): Dialect {
  // What the URL says comes before what we say, so we wait for as long as it has the server work.
  const statementTimeout = Number(new URL(url).searchParams.get('statement_timeout') ?? limits.statementTimeout)
  const pool = new Pool({
    connectionString: url,
    application_name: 'lockerflow',
    Client: PreparingClient,
    max: limits.connections,
    connectionTimeoutMillis: connectTimeout,
    statement_timeout: limits.statementTimeout,
    query_timeout: statementTimeout && statementTimeout + silence,
    lock_timeout: limits.lockTimeout,
    idle_in_transaction_session_timeout: idleTimeout,
    keepAlive: true,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === bigint ? Number : types.getTypeParser(oid, format as 'text'),
    },
  })
  // Connections that break are replaced, and whoever used one is told by its statement; without a listener the event
  // would end the process.
  pool.on('error', () => undefined).on('connect', client => void client.on('error', () => undefined))
  return new PostgresDialect({ pool })
}
