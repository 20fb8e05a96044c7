import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { LogThrottle } from '#platform/logs'
import { createGroupCommit } from '../store/groupCommit.ts'
import { inSharedCommit, type Store } from '../store/index.ts'
import { type Clock, databaseTime, hasRowLocks } from '../store/locks.ts'
import type { OutboxMessage } from './claims.ts'

/** A message whose delivery failed. */
export interface FailedDelivery {
  readonly message: OutboxMessage
  /** The tenant's `callback_version` of the delivery. */
  readonly version: number
  /** Milliseconds until the next delivery. */
  readonly retryInMs: number
}

interface FailuresOptions {
  readonly store: Store
  readonly clock: Clock
  /** Milliseconds after which a message is given up. */
  readonly maxAge: number
}

/** Failed deliveries of one statement. */
const maxBatch = 256

/** Returns a function that records a failed delivery, together with concurrent ones. It returns whether the message is given up. */
export function createFailures({
  store,
  clock,
  maxAge,
}: FailuresOptions): (failed: FailedDelivery) => Promise<boolean> {
  return createGroupCommit<FailedDelivery, boolean>({
    lanes: 1,
    async commit(next) {
      const batch: FailedDelivery[] = []
      for (let failed = next(); failed !== undefined; failed = batch.length < maxBatch ? next() : undefined)
        batch.push(failed)
      const dead = await reschedule(store, clock, batch, maxAge)
      return batch.map(({ message }) => ({ status: 'fulfilled', value: dead.has(message.seq) }))
    },
  })
}

/**
 * Ends the leases after failed deliveries, unless they expired and another process leased the messages.
 * @param maxAge milliseconds
 * @returns the `seq` of the messages that are given up
 */
export async function reschedule(
  store: Store,
  clock: Clock,
  batch: readonly FailedDelivery[],
  maxAge: number,
): Promise<ReadonlySet<number>> {
  const now = databaseTime(store, clock)
  const values = JSON.stringify(
    batch.map(({ message: { seq, lease_expires_at: lease }, version, retryInMs }) => ({
      seq,
      lease,
      version,
      retryInMs,
    })),
  )
  const failed = hasRowLocks(store)
    ? sql`jsonb_to_recordset(${values}::jsonb) as failed (seq bigint, lease bigint, version integer, "retryInMs" bigint)`
    : sql`(select value ->> 'seq' as seq, value ->> 'lease' as lease, value ->> 'version' as version,
        value ->> 'retryInMs' as "retryInMs" from json_each(${values})) as failed`
  // PostgreSQL would guess that the list is long, and scan the backlog.
  const byIndex = hasRowLocks(store)
    ? sql`and outbox.seq = any(${batch.map(({ message }) => message.seq)}::bigint[])`
    : sql``
  const update = sql<{ seq: number; dead_since: number | null }>`
    update outbox
    set attempts = outbox.attempts + 1,
      attempted_version = failed.version,
      next_attempt_at = ${now} + failed."retryInMs",
      lease_expires_at = 0,
      dead_since = case when coalesce(resent_at, created_at) <= ${now} - ${maxAge} then ${now} end
    from ${failed}
    where outbox.seq = failed.seq and outbox.lease_expires_at = failed.lease ${byIndex}
    returning outbox.seq, dead_since`
  const { rows } = await inSharedCommit(store, db => update.execute(db))
  return new Set(rows.filter(({ dead_since }) => dead_since !== null).map(({ seq }) => seq))
}

/** A failed delivery for the log. */
export interface FailureReport extends FailedDelivery {
  readonly reason: string
  readonly isDead: boolean
}

/** Logs a failed delivery: each message that is given up, and the others within the limit of a tenant and reason. */
export function logFailure(
  log: Pick<Logger, 'warn' | 'error'>,
  throttled: LogThrottle,
  { message, retryInMs, reason, isDead }: FailureReport,
): void {
  const { tenant_id: tenantId, shipment_uid: shipmentUid, message_id: messageId } = message
  const failures = message.attempts + 1
  if (isDead) {
    log.error({ logId: 'callback-given-up', tenantId, shipmentUid, messageId, failures, reason }, 'callback given up')
    return
  }
  throttled(`${tenantId} ${reason}`, suppressed => {
    log.warn(
      { logId: 'callback-not-delivered', tenantId, shipmentUid, messageId, failures, reason, retryInMs, suppressed },
      'callback delivery failed',
    )
  })
}
