import type { Up } from './declaration.ts'

/** Marks shipments whose sender is the receiver of their prior shipment. Existing ones keep their sender. */
export const derivedSenders: Up = async db => {
  await db.schema
    .alterTable('shipments')
    .addColumn('sender_derived', 'integer', column => column.notNull().defaultTo(0))
    .execute()
}
