import { type RawBuilder, type Selectable, sql } from 'kysely'
import { inSharedCommit, type Store } from '../store/index.ts'
import { type Clock, databaseTime, skipLocked } from '../store/locks.ts'
import type { OutboxRow, TenantRow } from '../store/tables.ts'
import type { Lane, Turn } from './lanes.ts'

export type OutboxMessage = Selectable<OutboxRow>
export type Tenant = Selectable<TenantRow>

/**
 * A message is fresh before its first delivery. A retry is due when its backoff ends, or when the callback address or key
 * has changed since its last delivery.
 */
export type MessageKind = 'fresh' | 'retry'

export function findTenant(store: Store, tenantId: string): Promise<Tenant | undefined> {
  return store.selectFrom('tenants').selectAll().where('tenant_id', '=', tenantId).executeTakeFirst()
}

/**
 * A lease that ends later than possible is from before the clock was set back, and has expired. The tolerance of one more
 * lease is for a statement that began before another one that claimed, and had to wait.
 */
export function isFree(now: RawBuilder<number>, lease: number): RawBuilder<boolean> {
  return sql`(lease_expires_at <= ${now} or lease_expires_at > ${now} + ${2 * lease})`
}

/** The messages that a lane has claimed. */
export interface Claimed {
  readonly lane: Lane
  /** Undefined without messages. */
  readonly tenant?: Tenant
  readonly messages: readonly OutboxMessage[]
}

/** Claims due messages of a lane, new ones first, and notes in the lane when there are more. */
export function claimTurn(store: Store, clock: Clock, { lane, room }: Turn, lease: number): Promise<Claimed> {
  const now = performance.now()
  const { fresh: mayBeFresh, retryAt } = lane
  // A failed delivery may set an earlier time during the claim.
  Object.assign(lane, { fresh: false, retryAt: Number.POSITIVE_INFINITY })

  async function claimBoth(db: Store): Promise<Claimed> {
    const tenant = await findTenant(db, lane.tenantId)
    // It may have been removed.
    if (tenant === undefined || tenant.callback_url === null || tenant.disabled_at !== null)
      return { lane, messages: [] }
    const isChanged = tenant.callback_version !== lane.version
    lane.version = tenant.callback_version
    const fresh = { kind: 'fresh', limit: room.fresh, lease } as const
    const messages = mayBeFresh ? await claimMessages(db, clock, tenant, fresh) : []
    if (mayBeFresh && messages.length === room.fresh) lane.fresh = true
    const limit = Math.min(room.retries, room.fresh - messages.length)
    let nextRetryAt = isChanged ? now : retryAt
    if (nextRetryAt <= now && limit > 0) {
      const retries = await claimMessages(db, clock, tenant, { kind: 'retry', limit, lease })
      messages.push(...retries)
      const wait = retries.length < limit ? await findNextRetry(db, clock, tenant) : 0
      nextRetryAt = wait === undefined ? Number.POSITIVE_INFINITY : now + wait
    }
    lane.retryAt = Math.min(lane.retryAt, nextRetryAt)
    return { lane, tenant, messages }
  }

  return inSharedCommit(store, claimBoth).catch(error => {
    Object.assign(lane, { fresh: true, retryAt: now })
    throw error
  })
}

interface Claim {
  readonly kind: MessageKind
  readonly limit: number
  /** Duration of the lease in milliseconds. */
  readonly lease: number
}

/**
 * Leases up to `limit` due messages of a tenant, each the first of its shipment. The expiry also identifies the lease, see
 * `reschedule`.
 */
export async function claimMessages(
  store: Store,
  clock: Clock,
  { tenant_id, callback_version }: Tenant,
  { kind, limit, lease }: Claim,
): Promise<OutboxMessage[]> {
  const now = databaseTime(store, clock)
  const unleased = isFree(now, lease)
  const isDue =
    kind === 'fresh'
      ? // Not as equalities: the order would then be that of seq alone, and PostgreSQL could walk the whole backlog by it.
        sql<boolean>`(attempted_version, next_attempt_at) <= (0, 0)`
      : sql<boolean>`(attempted_version, next_attempt_at) > (0, 0)
          and (attempted_version, next_attempt_at) <= (${callback_version}, ${now})`
  const claimed = await store
    .updateTable('outbox')
    .set({ lease_expires_at: sql<number>`${now} + ${lease}` })
    .where(unleased)
    .where('seq', 'in', eb =>
      eb
        .selectFrom('outbox')
        .select('seq')
        .where('tenant_id', '=', tenant_id)
        .where('waits_for', 'is', null)
        .where('dead_since', 'is', null)
        .where(isDue)
        .where(unleased)
        .orderBy('attempted_version')
        .orderBy('next_attempt_at')
        .orderBy('seq')
        .limit(limit)
        .modifyEnd(skipLocked(store)),
    )
    .returningAll()
    .execute()
  return claimed.sort((a, b) => a.seq - b.seq)
}

/** Returns the milliseconds until the next retry of a tenant, or undefined if none is scheduled. */
export async function findNextRetry(
  store: Store,
  clock: Clock,
  { tenant_id, callback_version }: Tenant,
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

/** Deletes a delivered message, even if another process has leased it since. The next one of its shipment becomes due. */
export async function deleteMessage(store: Store, { seq }: OutboxMessage): Promise<void> {
  await inSharedCommit(store, db => db.deleteFrom('outbox').where('seq', '=', seq).execute())
}

export interface FailedDelivery {
  /** The tenant's `callback_version` of the delivery. */
  readonly version: number
  /** Milliseconds until the next delivery. */
  readonly retryInMs: number
  /** Milliseconds after which the message is given up. */
  readonly maxAge: number
}

/**
 * Ends the lease after a failed delivery, unless it expired and another process leased the message. Returns whether the
 * message is given up.
 */
export async function reschedule(
  store: Store,
  clock: Clock,
  { seq, lease_expires_at, attempts }: OutboxMessage,
  { version, retryInMs, maxAge }: FailedDelivery,
): Promise<boolean> {
  const now = databaseTime(store, clock)
  const update = store
    .updateTable('outbox')
    .set({
      attempts: attempts + 1,
      attempted_version: version,
      next_attempt_at: sql<number>`${now} + ${retryInMs}`,
      lease_expires_at: 0,
      dead_since: sql<number | null>`case when coalesce(resent_at, created_at) <= ${now} - ${maxAge} then ${now} end`,
    })
    .where('seq', '=', seq)
    .where('lease_expires_at', '=', lease_expires_at)
    .returning('dead_since')
  const { rows } = await inSharedCommit(store, db => db.executeQuery(update.compile()))
  const [updated] = rows
  return updated !== undefined && updated.dead_since !== null
}
