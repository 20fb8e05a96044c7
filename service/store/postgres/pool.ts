import { types } from 'pg'
import { PipelinedClient } from './pipelinedClient.ts'
import { ReplaceablePool } from './replaceablePool.ts'

export interface PostgresLimits {
  /** Maximum number of connections of this process. */
  readonly connections: number
  /** Milliseconds that a statement waits for a lock; 0 is no limit. */
  readonly lockTimeout: number
  /** Time limit of a statement, in milliseconds; 0 is no limit. */
  readonly statementTimeout: number
}

/** Milliseconds that a request waits for a connection. */
const connectTimeout = 5_000
/** An idle transaction of this age belongs to a hanging process, in milliseconds. */
const idleTimeout = 20_000
/** Milliseconds that the client waits beyond the statement timeout for a server that no longer answers. */
const queryTimeoutMargin = 1_000
/**
 * Seconds of silence until each side probes the other one, which it gives up ten seconds later. By default a system waits two
 * hours: a migration for a server that has lost its power, and the next process for the lock of one that has.
 */
const keepAlive = 10
/** The type id of `bigint`, which the driver returns as text. Values stay far below 2^53, so they are read as numbers. */
const bigintOid = 20

/**
 * A pool of connections for Kysely's PostgreSQL dialect.
 * @param url `postgres://user:secret@host:port/database`, with the driver's parameters, `sslmode` for instance
 */
export function createPool(url: string, limits: PostgresLimits): ReplaceablePool {
  const address = new URL(url)
  const parameters = address.searchParams
  // A parameter of the URL overrides the setting, so the client's own timeout follows it.
  const statementTimeout = Number(parameters.get('statement_timeout') ?? limits.statementTimeout)
  // In the URL they would replace those below.
  const optionsOfUrl = parameters.getAll('options').join(' ')
  parameters.delete('options')
  const pool = new ReplaceablePool({
    connectionString: address.href,
    application_name: 'lockerflow',
    Client: PipelinedClient,
    pipeline: true,
    max: limits.connections,
    connectionTimeoutMillis: connectTimeout,
    statement_timeout: limits.statementTimeout,
    query_timeout: statementTimeout && statementTimeout + queryTimeoutMargin,
    lock_timeout: limits.lockTimeout,
    idle_in_transaction_session_timeout: idleTimeout,
    // Without a limit of ours, that of the role or the database would apply, and so would its isolation level, in which a statement
    // beside a transaction fails after a conflict. Starting parallel workers and compiling takes longer than any statement of the
    // service. A plan from when a table was small would scan it whole when it has grown, until
    // PostgreSQL analyzes the table. Those of the URL come first, since the last one of a name decides.
    options:
      `${optionsOfUrl} ` +
      '-c statement_timeout=0 -c lock_timeout=0 -c max_parallel_workers_per_gather=0 -c jit=off -c enable_seqscan=off' +
      ' -c default_transaction_isolation=read\\ committed' +
      ' -c extra_float_digits=1' + // With fewer, weights would be rounded.
      ` -c tcp_keepalives_idle=${keepAlive} -c tcp_keepalives_interval=1 -c tcp_keepalives_count=10`,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAlive * 1_000,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === bigintOid ? Number : types.getTypeParser(oid, format as 'text'),
    },
  })
  // The pool replaces broken connections, and their statements reject. Without a listener the event would end the process.
  pool.on('error', () => undefined).on('connect', client => void client.on('error', () => undefined))
  return pool
}
