import { type Selectable, sql } from 'kysely'
import { createGroupCommit } from '../store/groupCommit.ts'
import { inSharedCommit, type Store } from '../store/index.ts'
import { type Clock, databaseTime, hasRowLocks, skipLocked } from '../store/locks.ts'
import { isInQuery, keepQuery } from '../store/statements.ts'
import type { OutboxRow, TenantRow } from '../store/tables.ts'
import type { Lane, LaneClaim } from './lane.ts'
import type { DeliverySettings } from './retryPolicy.ts'
import { findNextRetry, isFree } from './schedule.ts'

export type OutboxMessage = Selectable<OutboxRow>
export type Tenant = Selectable<TenantRow>

/**
 * A message is fresh before its first delivery. A retry is due when its backoff ends, or when the callback address or key
 * has changed since its last delivery.
 */
export type MessageKind = 'fresh' | 'retry'

/** The messages that a lane has claimed. */
export interface Claimed {
  readonly lane: Lane
  /** Undefined without messages. */
  readonly tenant?: Tenant
  readonly messages: readonly OutboxMessage[]
}

interface Claim {
  readonly kind: MessageKind
  readonly limit: number
  /** Duration of the lease in milliseconds. */
  readonly lease: number
}

/** Claims due messages of a lane, new ones first, and notes in the lane when there are more. */
export function claimForLane(
  store: Store,
  clock: Clock,
  { lane, allowance }: LaneClaim,
  lease: number,
): Promise<Claimed> {
  const now = performance.now()
  const { mayHaveNewMessages, retryAt } = lane
  // A failed delivery may set an earlier time during the claim.
  Object.assign(lane, { mayHaveNewMessages: false, retryAt: Number.POSITIVE_INFINITY })

  async function claimBoth(db: Store): Promise<Claimed> {
    const tenant = await findTenant(db, lane.tenantId)
    // It may have been removed.
    if (tenant === undefined || tenant.callback_url === null || tenant.disabled_at !== null)
      return { lane, messages: [] }
    const isChanged = tenant.callback_version !== lane.version
    lane.version = tenant.callback_version
    const fresh = { kind: 'fresh', limit: allowance.fresh, lease } as const
    const messages = mayHaveNewMessages && fresh.limit > 0 ? await claimMessages(db, clock, tenant, fresh) : []
    if (mayHaveNewMessages && messages.length === allowance.fresh) lane.mayHaveNewMessages = true
    const limit = Math.min(allowance.retries, allowance.all - messages.length)
    let nextRetryAt = isChanged ? now : retryAt
    if (nextRetryAt <= now && limit > 0) {
      try {
        const retries = await claimMessages(db, clock, tenant, { kind: 'retry', limit, lease })
        messages.push(...retries)
        const wait = retries.length < limit ? await findNextRetry(db, clock, tenant) : 0
        nextRetryAt = wait === undefined ? Number.POSITIVE_INFINITY : now + wait
      } catch (error) {
        // Messages with a lease are sent: on PostgreSQL their claim is committed. The next claim repeats this one.
        if (messages.length === 0) throw error
      }
    }
    lane.retryAt = Math.min(lane.retryAt, nextRetryAt)
    return { lane, tenant, messages }
  }

  return inSharedCommit(store, claimBoth).catch(error => {
    Object.assign(lane, { mayHaveNewMessages: true, retryAt: now })
    throw error
  })
}

export async function findTenant(store: Store, tenantId: string): Promise<Tenant | undefined> {
  const { rows } = await store.executeQuery(selectTenant(store, { tenantId }))
  return rows[0]
}

const selectTenant = keepQuery((db, { tenantId }: { readonly tenantId: string }) =>
  db.selectFrom('tenants').selectAll().where('tenant_id', '=', tenantId),
)

/**
 * Leases up to `limit` due messages of a tenant, each the first of its shipment. The expiry also identifies the lease, see
 * `reschedule`.
 */
export async function claimMessages(
  store: Store,
  clock: Clock,
  { tenant_id, callback_version }: Pick<Tenant, 'tenant_id' | 'callback_version'>,
  { kind, limit, lease }: Claim,
): Promise<OutboxMessage[]> {
  const values = { tenant_id, callback_version, limit, lease, now: hasRowLocks(store) ? 0 : clock() }
  const { rows } = await store.executeQuery(claims[kind](store, values))
  return rows.sort((a, b) => a.seq - b.seq)
}

interface ClaimValues extends Pick<Tenant, 'tenant_id' | 'callback_version'>, Omit<Claim, 'kind'> {
  /** The time of the clock, for an embedded store. */
  readonly now: number
}

const claims = { fresh: keepClaim('fresh'), retry: keepClaim('retry') }

function keepClaim(kind: MessageKind) {
  return keepQuery((db, { tenant_id, callback_version, limit, lease, now: time }: ClaimValues) => {
    const now = databaseTime(db, () => time)
    const unleased = isFree(now)
    const isDue =
      kind === 'fresh'
        ? // Not as equalities: the order would then be that of seq alone, and PostgreSQL could walk the whole backlog by it.
          sql<boolean>`(attempted_version, next_attempt_at) <= (0, 0)`
        : sql<boolean>`(attempted_version, next_attempt_at) > (0, 0)
            and (attempted_version, next_attempt_at) <= (${callback_version}, ${now})`
    const due = db
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
      .limit(sql<number>`${limit}`)
      .modifyEnd(skipLocked(db))
    return db
      .updateTable('outbox')
      .set({ lease_expires_at: sql<number>`${now} + ${lease}` })
      .where(unleased)
      .where(isInQuery(db, 'seq', due))
      .returningAll()
  })
}

/**
 * Returns a function that deletes a delivered message, even if another process has leased it since. The next one of its
 * shipment becomes due. Messages that are delivered at the same time share a statement.
 * The function returns whether there may be a next one.
 */
export function createDeletion(store: Store): (message: OutboxMessage) => Promise<boolean> {
  const deleteTogether = createGroupCommit<OutboxMessage, Deleted | undefined>({
    lanes: 1,
    async commit(next) {
      const messages: OutboxMessage[] = []
      for (let message = next(); message !== undefined; message = next()) messages.push(message)
      const deleted = await deleteMessages(store, messages)
      return messages.map(message => ({ status: 'fulfilled', value: deleted.get(message.seq) }))
    },
  })
  return async message => {
    const deleted = await deleteTogether(message)
    if (deleted !== undefined) return deleted.hasNext
    await store.deleteFrom('outbox').where('seq', '=', message.seq).execute()
    return true
  }
}

interface Deleted {
  /** The shipment may have another message. */
  readonly hasNext: boolean
}

/**
 * Deletes messages in one statement.
 * @returns those that are deleted, by `seq`. Those that another transaction has locked are left: a wait for several locks could
 *   deadlock
 */
export async function deleteMessages(
  store: Store,
  messages: readonly OutboxMessage[],
): Promise<ReadonlyMap<number, Deleted>> {
  const seqs = messages.map(({ seq }) => seq)
  if (!hasRowLocks(store)) {
    const list = sql<number>`(select value from json_each(${JSON.stringify(seqs)}))`
    await inSharedCommit(store, db => db.deleteFrom('outbox').where('seq', 'in', list).execute())
    return new Map(seqs.map(seq => [seq, { hasNext: true }]))
  }
  const { rows } = await sql<{ seq: number; hasNext: boolean }>`
    delete from outbox where seq = any(array(
      select seq from outbox where seq = any(${seqs}::bigint[]) for update skip locked))
    returning seq, (select count(*) from outbox next where next.waits_for = outbox.seq) > 0 as "hasNext"`.execute(store)
  return new Map(rows.map(row => [row.seq, row]))
}

/** Milliseconds that a lease outlasts the delivery timeout. It bounds the delay after a process was killed. */
export const leaseMargin = 5_000

/** The milliseconds for which a message is leased. */
export function leaseDuration({ timeout }: Pick<DeliverySettings, 'timeout'>): number {
  return timeout + leaseMargin
}
