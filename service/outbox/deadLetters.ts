import { type SelectQueryBuilder, sql } from 'kysely'
import type { Logger } from 'pino'
import { inTransaction, type Store } from '../store/index.ts'
import { type Clock, databaseTime } from '../store/locks.ts'
import type { Tables } from '../store/tables.ts'
import { isFree } from './claims.ts'

/** Selects undelivered callbacks; each field narrows the selection. */
export interface CallbackFilter {
  readonly tenantId?: string | undefined
  readonly shipmentUid?: string | undefined
  /** The `webhook-id`. */
  readonly messageId?: string | undefined
  readonly caseNo?: string | undefined
  /** The earliest change, in milliseconds since 1970. */
  readonly since?: number | undefined
  /** Only those that were given up. */
  readonly dead?: boolean | undefined
  /** Only those with a failed delivery. */
  readonly failed?: boolean | undefined
}

/** An undelivered callback. Moments are milliseconds since 1970. */
export interface UndeliveredCallback {
  readonly messageId: string
  readonly tenantId: string
  readonly shipmentUid: string
  /** Failed deliveries. */
  readonly failures: number
  readonly createdAt: number
  /** Null if it was given up, or waits for an earlier callback of its shipment. 0 before the first delivery. */
  readonly nextAttemptAt: number | null
  readonly deadSince: number | null
  /** True while an earlier callback of its shipment is undelivered. */
  readonly waits: boolean
}

/** Returns undelivered callbacks, the oldest first. */
export async function findUndelivered(
  store: Store,
  filter: CallbackFilter,
  limit: number,
): Promise<readonly UndeliveredCallback[]> {
  const rows = await narrow(store.selectFrom('outbox'), filter).selectAll().orderBy('seq').limit(limit).execute()
  return rows.map(row => ({
    messageId: row.message_id,
    tenantId: row.tenant_id,
    shipmentUid: row.shipment_uid,
    failures: row.attempts,
    createdAt: row.created_at,
    nextAttemptAt: row.dead_since === null && row.waits_for === null ? row.next_attempt_at : null,
    deadSince: row.dead_since,
    waits: row.waits_for !== null,
  }))
}

/** Shipments of one transaction, so that a service waits for none of them long. */
const sliceSize = 500

/**
 * Makes the undelivered callbacks of the selected shipments due, those that were given up included, at the pace of their
 * tenant's retries. Backoff and age start again. Works while services run. Returns the number of callbacks.
 */
export async function resend(store: Store, clock: Clock, filter: CallbackFilter): Promise<number> {
  let resent = 0
  const done = new Set<string>()
  for (let last = 0; ; ) {
    const slice = await narrow(store.selectFrom('outbox'), filter)
      .select(['seq', 'shipment_uid'])
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(sliceSize)
      .execute()
    if (slice.length === 0) return resent
    last = slice.at(-1)?.seq ?? last
    const shipmentUids = [...new Set(slice.map(({ shipment_uid }) => shipment_uid))].filter(uid => !done.has(uid))
    if (shipmentUids.length === 0) continue
    resent += await inTransaction(store, tx => resendShipments(tx, clock, shipmentUids))
    for (const uid of shipmentUids) done.add(uid)
  }
}

async function resendShipments(store: Store, clock: Clock, shipmentUids: readonly string[]): Promise<number> {
  const now = databaseTime(store, clock)
  const { numUpdatedRows } = await store
    .updateTable('outbox')
    .set({
      attempts: 0,
      // 0 would exempt it from the pace of retries.
      next_attempt_at: sql<number>`case when next_attempt_at = 0 then 0 else ${now} end`,
      resent_at: now,
      dead_since: null,
    })
    .where('shipment_uid', 'in', shipmentUids)
    // A message that is being delivered gets the outcome of its delivery.
    .where(isFree(now))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Milliseconds between two reports, and after one that failed: a count of very many rows reaches the time limit of a statement. */
const [reportInterval, failedReportInterval] = [3_600_000, 300_000]

/**
 * Creates a function that logs once an hour how many callbacks of each tenant were given up, if there are any. It logs a failure
 * instead of throwing it.
 */
export function createDeadLetterReport(store: Store, log: Pick<Logger, 'error' | 'warn'>): () => Promise<void> {
  let reportAt = 0
  return async () => {
    if (performance.now() < reportAt) return
    reportAt = performance.now() + reportInterval
    try {
      for (const { tenantId, count } of await countDead(store))
        log.error({ logId: 'callbacks-given-up', tenantId, count }, 'callbacks given up wait to be sent again')
    } catch (error) {
      reportAt = performance.now() + failedReportInterval
      log.warn({ logId: 'given-up-not-counted', err: error }, 'callbacks given up not counted')
    }
  }
}

/** Counts the callbacks that were given up, by tenant. Later ones of the same shipments are not counted. */
export async function countDead(store: Store): Promise<readonly { tenantId: string; count: number }[]> {
  const rows = await store
    .selectFrom('outbox')
    .select(({ fn }) => ['tenant_id', fn.countAll<number | string>().as('count')])
    .where('dead_since', 'is not', null)
    .groupBy('tenant_id')
    .execute()
  return rows.map(({ tenant_id, count }) => ({ tenantId: tenant_id, count: Number(count) }))
}

function narrow<Output>(
  query: SelectQueryBuilder<Tables, 'outbox', Output>,
  { tenantId, shipmentUid, messageId, caseNo, since, dead, failed }: CallbackFilter,
): SelectQueryBuilder<Tables, 'outbox', Output> {
  return query
    .$if(tenantId !== undefined, builder => builder.where('tenant_id', '=', tenantId ?? ''))
    .$if(shipmentUid !== undefined, builder => builder.where('shipment_uid', '=', shipmentUid ?? ''))
    .$if(messageId !== undefined, builder => builder.where('message_id', '=', messageId ?? ''))
    .$if(since !== undefined, builder => builder.where('created_at', '>=', since ?? 0))
    .$if(caseNo !== undefined, builder =>
      builder.where('shipment_uid', 'in', eb =>
        eb
          .selectFrom('shipments')
          .select('shipments.shipment_uid')
          .where('reference_case_no', '=', caseNo ?? ''),
      ),
    )
    .$if(dead === true, builder => builder.where('dead_since', 'is not', null))
    .$if(failed === true, builder => builder.where('attempts', '>', 0))
}
