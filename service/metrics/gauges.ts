import { sql } from 'kysely'
import type { Store } from '../store/index.ts'

/** Rows that are counted at most, so that a backlog does not make its own measurement slow. */
const maxCounted = 10_000

/** Pick up points with values of their own: the number of time series must be bounded. */
const maxPoints = 500

export interface CallbackGauges {
  readonly pending: number
  readonly givenUp: number
  /**
   * Milliseconds; 0 without a pending callback. Those of a tenant that is disabled wait for its return, so they are
   * not late.
   */
  readonly oldestMs: number
}

/** Counts the undelivered callbacks of all tenants. */
export async function readCallbacks(store: Store, now: number = Date.now()): Promise<CallbackGauges> {
  const { rows } = await sql<{ pending: number | string; given_up: number | string }>`
    select
      (select count(*) from (select 1 from outbox where dead_since is null limit ${maxCounted}) as counted) as pending,
      (select count(*) from (select 1 from outbox where dead_since is not null limit ${maxCounted}) as counted) as given_up
  `.execute(store)
  const [row] = rows
  const oldest = await findOldest(store)
  return {
    pending: Number(row?.pending ?? 0),
    givenUp: Number(row?.given_up ?? 0),
    oldestMs: Math.max(0, now - (oldest ?? now)),
  }
}

/**
 * Finds the creation of the oldest callback, of each tenant among those that are sent next. A search by age would read all
 * callbacks of a tenant that is disabled.
 */
async function findOldest(store: Store): Promise<number | undefined> {
  const { rows } = await sql<{ created_at: number }>`
    select created_at from outbox
    where seq = (
      select min((
        select min(seq) from (
          select seq from outbox
          where tenant_id = tenants.tenant_id and waits_for is null and dead_since is null
          order by attempted_version, next_attempt_at, seq limit ${maxCounted}) as first))
      from tenants where disabled_at is null)
  `.execute(store)
  return rows[0]?.created_at
}

export interface LockerGauges {
  readonly pupUid: string
  readonly free: number
  readonly all: number
}

/**
 * Counts the lockers of each pick up point, without retired ones. Those at a closed pick up point are not free, as bookings and
 * GetPickUpPoints have it. Pick up points beyond the bound are added up as `others`.
 */
export async function readLockers(store: Store, limit = maxPoints): Promise<readonly LockerGauges[]> {
  const rows = await store
    .selectFrom('lockers')
    .select(({ fn }) => [
      'pup_uid',
      fn.countAll<number | string>().as('lockers'),
      fn.sum<number | string>(sql<number>`(1 - booked) * (1 - closed)`).as('free'),
    ])
    .where('retired_at', 'is', null)
    .groupBy('pup_uid')
    .orderBy('pup_uid')
    .execute()
  const points = rows.map(({ pup_uid, lockers, free }) => ({
    pupUid: pup_uid,
    free: Number(free),
    all: Number(lockers),
  }))
  const rest = points.slice(limit)
  if (rest.length === 0) return points
  const sum = (read: (point: LockerGauges) => number) => rest.reduce((total, point) => total + read(point), 0)
  return [...points.slice(0, limit), { pupUid: 'others', free: sum(({ free }) => free), all: sum(({ all }) => all) }]
}
