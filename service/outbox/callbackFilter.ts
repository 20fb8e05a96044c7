import type { SelectQueryBuilder } from 'kysely'
import type { Store } from '../store/index.ts'
import type { Tables } from '../store/tables.ts'

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
  const rows = await narrowCallbacks(store.selectFrom('outbox'), filter)
    .selectAll()
    .orderBy('seq')
    .limit(limit)
    .execute()
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

/** Adds the conditions of a filter to a query of the outbox. */
export function narrowCallbacks<Output>(
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
