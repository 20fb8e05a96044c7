import type { Selectable } from 'kysely'
import type { Call } from '../operations/call.ts'
import type { ShipmentRow } from '../store/tables.ts'
import type { Shipment } from './make.ts'

/** What can change of a shipment without anything happening to it. */
export type Texts = Partial<Pick<Selectable<ShipmentRow>, 'reference_no' | 'reference_case_no' | 'description'>>

/** Changes what is written about a shipment, or nothing but the moment of its last change; nothing is announced. */
export async function touch(
  { tx, now }: Pick<Call, 'tx' | 'now'>,
  { shipment_uid, activity }: Shipment,
  texts: Texts = {},
): Promise<void> {
  await tx
    .updateTable('shipments')
    // A clock that was set back must not make the newer change look older.
    .set({ ...texts, activity: Math.max(now, activity) })
    .where('shipment_uid', '=', shipment_uid)
    .execute()
}
