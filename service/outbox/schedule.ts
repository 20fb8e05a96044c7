import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Store } from '../store/index.ts'
import { type Clock, databaseTime } from '../store/locks.ts'
import type { TenantRow } from '../store/tables.ts'

/**
 * Returns the tenants with a callback address that have a due message. It reads an index once per tenant.
 * @param known tenants that are left out, since they are known to have work
 */
export async function findTenantsWithWork(
  store: Store,
  clock: Clock,
  known: readonly string[] = [],
): Promise<readonly string[]> {
  const now = databaseTime(store, clock)
  // A join could scan the messages of all tenants, but a subquery with a limit cannot become one.
  const due = sql<number | null>`(
    select seq from outbox
    where tenant_id = tenants.tenant_id and waits_for is null and dead_since is null
      and (attempted_version, next_attempt_at) <= (tenants.callback_version, ${now}) and ${isFree(now)}
    order by attempted_version, next_attempt_at, seq limit 1)`
  const rows = await store
    .selectFrom('tenants')
    .select(['tenant_id', due.as('due')])
    .where('callback_url', 'is not', null)
    .where('disabled_at', 'is', null)
    .$if(known.length > 0, query => query.where('tenant_id', 'not in', known))
    .execute()
  return rows.filter(row => row.due !== null).map(row => row.tenant_id)
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
