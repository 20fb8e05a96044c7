import type { Selectable } from 'kysely'
import type { Call } from '../call.ts'
import type { ShipmentRow } from '../store/tables.ts'
import type { Shipment } from './load.ts'

/** Columns that change without a change of state. */
export type Texts = Partial<Pick<Selectable<ShipmentRow>, 'reference_no' | 'reference_case_no' | 'description'>>

/** Updates the references and the description of a shipment. Enqueues no callback, because the state stays. */
export async function updateTexts(
  { tx, now }: Pick<Call, 'tx' | 'now'>,
  { shipment_uid, updated_at }: Shipment,
  texts: Texts,
): Promise<void> {
  await tx
    .updateTable('shipments')
    // If the clock was set back, the newer change must still not appear older.
    .set({ ...texts, updated_at: Math.max(now, updated_at) })
    .where('shipment_uid', '=', shipment_uid)
    .execute()
}

/** Records that a shipment changed, for `updatedSince` and the order by activity. */
export function recordChange(context: Pick<Call, 'tx' | 'now'>, shipment: Shipment): Promise<void> {
  return updateTexts(context, shipment, {})
}
