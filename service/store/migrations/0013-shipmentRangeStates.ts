import { sql } from 'kysely'
import { createTable, type TableDeclaration, type Up } from './declaration.ts'

const shipment_range_states: TableDeclaration = {
  columns: {
    tenant_id: 'text',
    last_seq: 'reference',
    state_code: 'text',
    local_count: 'count',
    collect_only_count: 'count',
  },
  key: ['tenant_id', 'last_seq', 'state_code'],
  references: { tenant_id: 'tenants.tenant_id' },
  clustered: true,
}

/** Numbers of ended shipments in the ranges of D-332, so that a page in the middle of them is found without a walk (D-390). */
export const shipmentRangeStates: Up = async (db, kind) => {
  await createTable(db, kind, 'shipment_range_states', shipment_range_states)
  // Shipments that were counted before are in no range. The next rounds count all of them again.
  await sql`delete from shipment_counts`.execute(db)
}
