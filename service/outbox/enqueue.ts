import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { type Callback, callbackMessageType, toUtcWithoutOffset } from '#contract'
import { tracing } from '#telemetry'
import type { Call } from '../call.ts'
import { forKeyShare } from '../store/locks.ts'
import type { ShipmentRow } from '../store/tables.ts'

/**
 * Enqueues the callback for a shipment's state with its current values (specification, Events: ShipmentStatusUpdate),
 * in the transaction of the change. Does nothing if the caller's tenant has no callback address. Linked shipments
 * always belong to the same tenant.
 */
export async function enqueueCallback(
  { tx, now, tenant }: Pick<Call, 'tx' | 'now' | 'tenant'>,
  shipment: Selectable<ShipmentRow>,
): Promise<void> {
  if ((await tenant()).callback_url === null) return
  await tx
    .insertInto('outbox')
    .values({
      message_id: `msg_${randomUUID()}`,
      // The lock keeps a concurrent delivery from deleting the previous message before this one refers to it.
      waits_for: eb =>
        eb
          .selectFrom('outbox')
          .select('seq')
          .where('shipment_uid', '=', shipment.shipment_uid)
          .orderBy('seq', 'desc')
          .limit(1)
          .modifyEnd(forKeyShare(tx)),
      tenant_id: shipment.tenant_id,
      shipment_uid: shipment.shipment_uid,
      body: JSON.stringify(toCallback(shipment)),
      created_at: now,
      // Due immediately, even if the delivering process has a slower clock.
      next_attempt_at: 0,
      traceparent: tracing?.traceparent() ?? null,
    })
    .execute()
}

function toCallback(shipment: Selectable<ShipmentRow>): Callback {
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
