import { sql } from 'kysely'
import type { Store } from '../store/index.ts'

/** Milliseconds by which the clocks of two processes may differ. A bucket that was filled later counts as filled now. */
const maxClockDifference = 5_000

export interface Report {
  readonly clientId: string
  /** Tokens that the process has taken since its last report. */
  readonly used: number
}

export interface SpendOptions {
  readonly reports: readonly Report[]
  readonly burst: number
  readonly perSecond: number
  /** The time of the first of these requests and of the report, in milliseconds since 1970. */
  readonly since: number
  readonly now: number
}

/**
 * Takes tokens from the buckets that the processes on PostgreSQL share, in one statement.
 * @returns the tokens left of each client; negative when the processes together have taken too many
 */
export async function spendShared(store: Store, options: SpendOptions): Promise<ReadonlyMap<string, number>> {
  const { burst, perSecond, since, now } = options
  // In one order, or two processes could deadlock.
  const reports = options.reports.toSorted((a, b) => (a.clientId < b.clientId ? -1 : 1))
  const refilled = ((now - since) / 1_000) * perSecond
  const used = sql`(${burst + refilled}::float8 - excluded.tokens)`
  const perMillisecond = sql`${perSecond / 1_000}::float8`
  const before = sql`least(${burst}::float8, bucket.tokens + greatest(0, ${since}::bigint - bucket.filled_at) * ${perMillisecond})`
  const meanwhile = sql`greatest(0, excluded.filled_at - greatest(${since}::bigint, bucket.filled_at)) * ${perMillisecond}`
  const { rows } = await sql<{ client_id: string; tokens: number }>`
    insert into rate_buckets as bucket (client_id, tokens, filled_at)
    select client_id, ${burst + refilled}::float8 - used, ${now}::bigint
    from unnest(${reports.map(({ clientId }) => clientId)}::text[], ${reports.map(({ used }) => used)}::float8[])
      as report (client_id, used)
    on conflict (client_id) do update set
      tokens = least(${burst}::float8, ${before} - ${used} + ${meanwhile}),
      filled_at = case when bucket.filled_at > excluded.filled_at + ${maxClockDifference}::bigint then excluded.filled_at
        else greatest(bucket.filled_at, excluded.filled_at) end
    returning client_id, tokens`.execute(store)
  return new Map(rows.map(row => [row.client_id, row.tokens]))
}
