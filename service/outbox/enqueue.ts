import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { type Callback, callbackMessageType, toUtcWithoutOffset } from '#contract'
import { tracing } from '#platform/telemetry'
import type { Call } from '../call.ts'
import { forKeyShare } from '../store/locks.ts'
import { defer, keepQuery } from '../store/statements.ts'
import type { OutboxRow, ShipmentColumns } from '../store/tables.ts'

/**
 * Enqueues the callback for a shipment's state with its current values (specification, Events: ShipmentStatusUpdate),
 * in the transaction of the change. Does nothing if the caller's tenant has no callback address. Linked shipments
 * always belong to the same tenant.
 */
export async function enqueueCallback(
  { tx, now, tenant, effects }: Pick<Call, 'tx' | 'now' | 'tenant' | 'effects'>,
  shipment: ShipmentColumns,
): Promise<void> {
  if ((await tenant()).callback_url === null) return
  if (effects !== undefined) effects.hasCallback = true
  await defer(tx, insertMessage(tx, toMessage(shipment, now)))
}

/** The columns of a new callback. */
export type NewMessage = Pick<
  Selectable<OutboxRow>,
  'message_id' | 'tenant_id' | 'shipment_uid' | 'body' | 'created_at' | 'traceparent'
>

/** @param now milliseconds since 1970 */
export function toMessage(shipment: ShipmentColumns, now: number): NewMessage {
  return {
    message_id: `msg_${randomUUID()}`,
    tenant_id: shipment.tenant_id,
    shipment_uid: shipment.shipment_uid,
    body: JSON.stringify(toCallback(shipment)),
    created_at: now,
    traceparent: tracing?.traceparent() ?? null,
  }
}

/** Inserts a callback after the undelivered ones of its shipment. */
export const insertMessage = keepQuery((db, message: NewMessage) =>
  db.insertInto('outbox').values({
    message_id: message.message_id,
    // The lock keeps a concurrent delivery from deleting the previous message before this one refers to it.
    waits_for: eb =>
      eb
        .selectFrom('outbox')
        .select('seq')
        .where('shipment_uid', '=', message.shipment_uid)
        .orderBy('seq', 'desc')
        .limit(1)
        .modifyEnd(forKeyShare(db)),
    tenant_id: message.tenant_id,
    shipment_uid: message.shipment_uid,
    body: message.body,
    created_at: message.created_at,
    // Due immediately, even if the delivering process has a slower clock.
    next_attempt_at: 0,
    traceparent: message.traceparent,
  }),
)

function toCallback(shipment: ShipmentColumns): Callback {
  return {
    messageType: callbackMessageType,
    message: {
      shipmentUid: shipment.shipment_uid,
      stateCode: shipment.state_code,
      stateStart: toUtcWithoutOffset(shipment.state_since),
      shipmentType: shipment.shipment_type,
      referenceNo: shipment.reference_no,
      referenceCaseNo: shipment.reference_case_no,
      description: shipment.description,
      pupUid: shipment.pup_uid,
      fromUserUid: shipment.from_user_uid,
      toUserUid: shipment.to_user_uid,
    },
  }
}
