import { sql } from 'kysely'
import { createTable, type TableDeclaration, type Up } from './declaration.ts'

const shipment_counts: TableDeclaration = {
  columns: {
    tenant_id: 'text',
    state_code: 'text',
    local_count: 'millis',
    collect_only_count: 'millis',
    counted_until: 'millis',
  },
  key: ['tenant_id', 'state_code'],
  references: { tenant_id: 'tenants.tenant_id' },
}

/** The columns of the users of a shipment, and their different values as a share of its rows. */
const userColumns = ['from_user_uid', 'to_user_uid']
const differentUsers = -0.1

/** Numbers of ended shipments that are counted once, since a list contains the number of all (D-318). */
export const shipmentCounts: Up = async (db, kind) => {
  await createTable(db, kind, 'shipment_counts', shipment_counts)
  if (kind === 'sqlite') return
  // If most shipments come from one dispatcher, a sample finds no other user, and every user is taken for that one.
  for (const column of userColumns)
    await sql`alter table shipments alter column ${sql.ref(column)} set (n_distinct = ${sql.lit(differentUsers)})`.execute(
      db,
    )
}
