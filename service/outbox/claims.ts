import type { Selectable } from 'kysely'
import type { Store } from '../store/index.ts'
import { pastLockedRows } from '../store/rowLocks.ts'
import type { OutboxRow, TenantRow } from '../store/tables.ts'

export type Message = Selectable<OutboxRow>

/** Tenants with a callback address and messages that may be due. */
export function tenantsWithWork(store: Store, now: number): Promise<TenantRow[]> {
  return store
    .selectFrom('tenants')
    .selectAll()
    .where('callback_url', 'is not', null)
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('outbox')
          .select('seq')
          .whereRef('outbox.tenant_id', '=', 'tenants.tenant_id')
          .where('due', '<=', now)
          .where('leased_until', '<=', now),
      ),
    )
    .execute()
}

/**
 * Takes up to `limit` messages of a tenant that are due, each the oldest of its shipment, so that a shipment keeps
 * its order. Nobody else sends them before `until`; that moment is also what tells the lease from a later one.
 */
export async function claim(
  store: Store,
  tenantId: string,
  { now, until, limit }: { readonly now: number; readonly until: number; readonly limit: number },
): Promise<Message[]> {
  const claimed = await store
    .updateTable('outbox')
    .set({ leased_until: until })
    .where('leased_until', '<=', now)
    .where('seq', 'in', eb =>
      eb
        .selectFrom('outbox as head')
        .select('head.seq')
        .where('head.tenant_id', '=', tenantId)
        .where('head.due', '<=', now)
        .where('head.leased_until', '<=', now)
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
        .orderBy('head.due')
        .orderBy('head.seq')
        .limit(limit)
        .modifyEnd(pastLockedRows(store)),
    )
    .returningAll()
    .execute()
  return claimed.sort((one, other) => one.seq - other.seq)
}

/** When the next message that waits for its retry is due; undefined when none waits. */
export async function nextDue(store: Store, now: number): Promise<number | undefined> {
  const next = await store
    .selectFrom('outbox')
    .select('due')
    .where('due', '>', now)
    .orderBy('due')
    .limit(1)
    .executeTakeFirst()
  return next?.due
}

/** A delivered message is gone, whoever may hold its lease by now. */
export async function forget(store: Store, { seq }: Message): Promise<void> {
  await store.deleteFrom('outbox').where('seq', '=', seq).execute()
}

/** Gives a message back after a failed attempt, unless the lease ran out and somebody else has it. */
export async function giveBack(store: Store, message: Message, due: number): Promise<void> {
  await store
    .updateTable('outbox')
    .set({ attempts: message.attempts + 1, due, leased_until: 0 })
    .where('seq', '=', message.seq)
    .where('leased_until', '=', message.leased_until)
    .execute()
}
