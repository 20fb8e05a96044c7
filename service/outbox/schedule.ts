import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Store } from '../store/index.ts'
import { type Clock, databaseTime, skipLocked } from '../store/locks.ts'
import { isInQuery } from '../store/statements.ts'
import type { TenantRow } from '../store/tables.ts'

/** Messages of one statement. */
const recallLimit = 1_000

export interface TenantWithWork {
  readonly tenant_id: string
  /** Has a retry that is later than any backoff: it is from before the clock was set back. */
  readonly isDistant: boolean
}

export interface FoundWork {
  readonly tenants: readonly TenantWithWork[]
  /** The time of the store. Undefined if no tenant was looked at. */
  readonly time: number | undefined
}

/**
 * Returns the tenants with a callback address that have a due message, or a retry later than any backoff. It reads an index twice
 * per tenant.
 * @param maxDelay the longest backoff, in milliseconds
 * @param known tenants that are left out, since they are known to have work
 */
export async function findTenantsWithWork(
  store: Store,
  clock: Clock,
  maxDelay: number,
  known: readonly string[] = [],
): Promise<FoundWork> {
  const now = databaseTime(store, clock)
  // A join could scan the messages of all tenants, but a subquery with a limit cannot become one.
  const first = (condition: RawBuilder<boolean>) => sql<number | null>`(
    select seq from outbox
    where tenant_id = tenants.tenant_id and waits_for is null and dead_since is null and ${condition}
    order by attempted_version, next_attempt_at, seq limit 1)`
  const due = first(sql`(attempted_version, next_attempt_at) <= (tenants.callback_version, ${now}) and ${isFree(now)}`)
  const distant = first(sql`attempted_version = tenants.callback_version and next_attempt_at > ${now} + ${maxDelay}`)
  const rows = await store
    .selectFrom('tenants')
    .select(['tenant_id', due.as('due'), distant.as('distant'), now.as('time')])
    .where('callback_url', 'is not', null)
    .where('disabled_at', 'is', null)
    .$if(known.length > 0, query => query.where('tenant_id', 'not in', known))
    .execute()
  const tenants = rows
    .filter(row => row.due !== null || row.distant !== null)
    .map(({ tenant_id, distant }) => ({ tenant_id, isDistant: distant !== null }))
  return { tenants, time: rows[0]?.time }
}

/** A smaller difference can be the delay with which a statement returns its time. Milliseconds. */
const minSetBack = 60_000

/** Returns a function that returns whether the clock of the store was set back since its last call. */
export function createSetBackDetector(): (time: number) => boolean {
  let ahead = Number.NEGATIVE_INFINITY
  return time => {
    const before = ahead
    ahead = time - performance.now()
    return before - ahead > minSetBack
  }
}

/**
 * Makes retries of a tenant due that are later than any backoff. Those that another transaction has locked are left.
 * @returns whether there may be more
 */
export async function recallDistantRetries(
  store: Store,
  clock: Clock,
  tenantId: string,
  maxDelay: number,
): Promise<boolean> {
  const now = databaseTime(store, clock)
  const distant = store
    .selectFrom('outbox')
    .select('seq')
    .where('tenant_id', '=', tenantId)
    .where('waits_for', 'is', null)
    .where('dead_since', 'is', null)
    .where(sql<boolean>`next_attempt_at > ${now} + ${maxDelay}`)
    .limit(recallLimit)
    .modifyEnd(skipLocked(store))
  const { numUpdatedRows } = await store
    .updateTable('outbox')
    .set({ next_attempt_at: now })
    .where(isInQuery(store, 'seq', distant))
    .executeTakeFirstOrThrow()
  return numUpdatedRows >= recallLimit
}

/** Returns the milliseconds until the next retry of a tenant, or undefined if none is scheduled. */
export async function findNextRetry(
  store: Store,
  clock: Clock,
  { tenant_id, callback_version }: Pick<Selectable<TenantRow>, 'tenant_id' | 'callback_version'>,
): Promise<number | undefined> {
  const now = databaseTime(store, clock)
  const next = await store
    .selectFrom('outbox')
    .select(sql<number>`next_attempt_at - ${now}`.as('wait'))
    .where('tenant_id', '=', tenant_id)
    .where('waits_for', 'is', null)
    .where('dead_since', 'is', null)
    .where('attempted_version', '=', callback_version)
    .where('next_attempt_at', '>', now)
    .orderBy('attempted_version')
    .orderBy('next_attempt_at')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return next?.wait
}

/** Milliseconds. The timeout of a delivery is 120 seconds at most, and a lease outlasts it by five. */
export const maxLease = 125_000

/**
 * A lease that ends later than possible is from before the clock was set back, and has expired. The bound is a constant, since
 * another process may have a longer timeout during a restart. It is twice the longest lease: a statement that has waited for a
 * later claim sees a lease that began after its own time.
 */
export function isFree(now: RawBuilder<number>): RawBuilder<boolean> {
  return sql`(lease_expires_at <= ${now} or lease_expires_at > ${now} + ${sql.lit(2 * maxLease)})`
}
