import type { Selectable } from 'kysely'
import { type Call, Refusal } from '../operations/call.ts'
import { hasRowLocks, withRowLock } from '../store/rowLocks.ts'
import type { ShipmentRow } from '../store/tables.ts'

type Found = Selectable<ShipmentRow>

/**
 * A shipment of the caller.
 * @param field what the caller calls it, for the message
 * @throws Refusal InvalidShipment, in the same words for an unknown one and for somebody else's
 */
export async function shipmentOf({ tx, tenantId }: Call, shipmentUid: string, field = 'shipmentUid'): Promise<Found> {
  const shipment = await tx
    .selectFrom('shipments')
    .selectAll()
    .where('shipment_uid', '=', shipmentUid)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  if (shipment === undefined) {
    throw new Refusal('InvalidShipment', `${field} has to be the uid of one of your shipments`)
  }
  return shipment
}

/**
 * The same, held for a change. The locker is what is held: everything that happens at one locker happens one after
 * the other, also to shipments that share it.
 */
export async function shipmentToChange(call: Call, shipmentUid: string, field?: string): Promise<Found> {
  if (hasRowLocks(call.tx)) {
    await call.tx
      .selectFrom('lockers')
      .select('locker_uid')
      .where('locker_uid', '=', eb =>
        eb
          .selectFrom('shipments')
          .select('shipments.locker_uid')
          .where('shipment_uid', '=', shipmentUid)
          .where('tenant_id', '=', call.tenantId),
      )
      .modifyEnd(withRowLock(call.tx))
      .execute()
  }
  return shipmentOf(call, shipmentUid, field)
}
