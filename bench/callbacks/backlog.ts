import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '../../service/store/index.ts'

const slice = 1_000

/** Inserts new messages of each tenant in turn, each of another shipment. */
export async function fillOutbox(store: Store, tenantIds: readonly string[], messages: number): Promise<void> {
  const createdAt = Date.now()
  // One transaction, so that the service finds all of them at once.
  await store.transaction().execute(async tx => {
    for (let from = 0; from < messages * tenantIds.length; from += slice) {
      const rows = Array.from({ length: Math.min(slice, messages * tenantIds.length - from) }, (_, at) => {
        const shipmentUid = randomUUID()
        return {
          message_id: `msg_${randomUUID()}`,
          tenant_id: tenantIds[(from + at) % tenantIds.length] ?? '',
          shipment_uid: shipmentUid,
          body: callbackBody(shipmentUid),
          created_at: createdAt,
          next_attempt_at: 0,
        }
      })
      await tx.insertInto('outbox').values(rows).execute()
    }
  })
}

/** A callback of the usual length. */
export function callbackBody(shipmentUid: string): string {
  return JSON.stringify({
    messageType: 'ShipmentStatusUpdate',
    message: {
      shipmentUid,
      stateCode: 'ReadyForDropOff',
      stateStart: '2026-03-01T12:00:00.000',
      shipmentType: 'Local',
      referenceNo: 'A reference',
      referenceCaseNo: null,
      description: null,
      pupUid: 'pup-1',
      fromUserUid: randomUUID(),
      toUserUid: randomUUID(),
    },
  })
}

/** Milliseconds since the oldest undelivered callback was enqueued; 0 without one. */
export async function oldestAge(store: Store): Promise<number> {
  const oldest = await store.selectFrom('outbox').select('created_at').orderBy('seq').limit(1).executeTakeFirst()
  return oldest === undefined ? 0 : Math.max(0, Date.now() - oldest.created_at)
}

/** Waits until no callback of these tenants is undelivered. */
export async function drained(store: Store, tenantIds: readonly string[]): Promise<void> {
  for (;;) {
    const left = await store
      .selectFrom('outbox')
      .select('seq')
      .where('tenant_id', 'in', tenantIds)
      .limit(1)
      .executeTakeFirst()
    if (left === undefined) return
    await pause(50)
  }
}
