import { createTable, type TableDeclaration, type Up } from './declaration.ts'

const shipment_ranges: TableDeclaration = {
  columns: { tenant_id: 'text', last_seq: 'reference', local_count: 'count', collect_only_count: 'count' },
  key: ['tenant_id', 'last_seq'],
  references: { tenant_id: 'tenants.tenant_id' },
  clustered: true,
}

/** Numbers of shipments by their order of creation, so that a page in the middle of all is found without a walk (D-332). */
export const shipmentRanges: Up = async (db, kind) => {
  await createTable(db, kind, 'shipment_ranges', shipment_ranges)
}
