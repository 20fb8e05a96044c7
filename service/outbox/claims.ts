import type { Selectable } from 'kysely'
import type { Store } from '../store/index.ts'
import { skipLocked } from '../store/locks.ts'
import type { OutboxRow, TenantRow } from '../store/tables.ts'

export type OutboxMessage = Selectable<OutboxRow>

/** Tenants with a callback address and messages that may be due. */
export function findTenantsWithDueMessages(store: Store, now: number): Promise<TenantRow[]> {
  return store
    .selectFrom('tenants')
    .selectAll()
    .where('callback_url', 'is not', null)
    .where('disabled_at', 'is', null)
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('outbox')
          .select('seq')
          .whereRef('outbox.tenant_id', '=', 'tenants.tenant_id')
          .where('next_attempt_at', '<=', now)
          .where('lease_expires_at', '<=', now),
      ),
    )
    .execute()
}

/**
 * Leases up to `limit` due messages of a tenant until `until`. Only the oldest message of a shipment qualifies, which
 * keeps each shipment's order. The expiry also identifies the lease, see `reschedule`.
 */
export async function claimMessages(
  store: Store,
  tenantId: string,
  { now, until, limit }: { readonly now: number; readonly until: number; readonly limit: number },
): Promise<OutboxMessage[]> {
  const claimed = await store
    .updateTable('outbox')
    .set({ lease_expires_at: until })
    .where('lease_expires_at', '<=', now)
    .where('seq', 'in', eb =>
      eb
        .selectFrom('outbox as head')
        .select('head.seq')
        .where('head.tenant_id', '=', tenantId)
        .where('head.next_attempt_at', '<=', now)
        .where('head.lease_expires_at', '<=', now)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('outbox as earlier')
                .select('earlier.seq')
                .whereRef('earlier.shipment_uid', '=', 'head.shipment_uid')
                .whereRef('earlier.seq', '<', 'head.seq'),
            ),
          ),
        )
        .orderBy('head.next_attempt_at')
        .orderBy('head.seq')
        .limit(limit)
        .modifyEnd(skipLocked(store)),
    )
    .returningAll()
    .execute()
  return claimed.sort((a, b) => a.seq - b.seq)
}

/** Returns the time of the next retry, or undefined if none is scheduled. */
export async function findNextAttemptAt(store: Store, now: number): Promise<number | undefined> {
  const next = await store
    .selectFrom('outbox')
    .select('next_attempt_at')
    .where('next_attempt_at', '>', now)
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst()
  return next?.next_attempt_at
}

/** Deletes a delivered message, even if another process has leased it since. */
export async function deleteMessage(store: Store, { seq }: OutboxMessage): Promise<void> {
  await store.deleteFrom('outbox').where('seq', '=', seq).execute()
}

/** Ends the lease after a failed delivery, unless it expired and another process leased the message. */
export async function reschedule(store: Store, message: OutboxMessage, nextAttemptAt: number): Promise<void> {
  await store
    .updateTable('outbox')
    .set({ attempts: message.attempts + 1, next_attempt_at: nextAttemptAt, lease_expires_at: 0 })
    .where('seq', '=', message.seq)
    .where('lease_expires_at', '=', message.lease_expires_at)
    .execute()
}
