import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { type Callback, callbackMessageType } from '#contract'
import type { Call } from '../operations/call.ts'
import type { ShipmentRow } from '../store/tables.ts'
import { zoneless } from '../zoneless.ts'

/**
 * Queues the announcement of a shipment's state, with its values as they are now (specification, Events:
 * ShipmentStatusUpdate), in the transaction of the change. Shipments that are linked have one tenant, which is the
 * caller's; one without a callback address gets none.
 */
export async function queueCallback(
  { tx, now, tenant }: Pick<Call, 'tx' | 'now' | 'tenant'>,
  shipment: Selectable<ShipmentRow>,
): Promise<void> {
  if ((await tenant()).callback_url === null) return
  await tx
    .insertInto('outbox')
    .values({
      message_id: `msg_${randomUUID()}`,
      tenant_id: shipment.tenant_id,
      shipment_uid: shipment.shipment_uid,
      body: JSON.stringify(messageOf(shipment)),
      created: now,
      // At once, also for a clock that was set back or runs behind that of this process.
      due: 0,
      attempts: 0,
      leased_until: 0,
    })
    .execute()
}

function messageOf(shipment: Selectable<ShipmentRow>): Callback {
  return {
    messageType: callbackMessageType,
    message: {
      shipmentUid: shipment.shipment_uid,
      stateCode: shipment.state_code,
      stateStart: zoneless(shipment.state_start),
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
