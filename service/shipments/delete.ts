import type { StoreTransaction } from '../store/index.ts'
import { subtractFromChanges } from './changeRanges.ts'
import { subtractEnded } from './counts.ts'
import { subtractFromRanges } from './ranges.ts'

/**
 * Deletes ended shipments with their objects, and subtracts them from the counts. Only one process may do so at a time. Returns the
 * number of deleted shipments.
 */
export async function deleteShipments(tx: StoreTransaction, shipmentUids: readonly string[]): Promise<number> {
  if (shipmentUids.length === 0) return 0
  await subtractEnded(tx, shipmentUids)
  await subtractFromRanges(tx, shipmentUids)
  await subtractFromChanges(tx, shipmentUids)
  await tx.deleteFrom('shipment_objects').where('shipment_uid', 'in', shipmentUids).execute()
  const { numDeletedRows } = await tx
    .deleteFrom('shipments')
    .where('shipment_uid', 'in', shipmentUids)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
