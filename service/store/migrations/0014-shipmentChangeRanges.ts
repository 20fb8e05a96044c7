import { createTable, type TableDeclaration, type Up } from './declaration.ts'

const shipment_change_ranges: TableDeclaration = {
  columns: {
    tenant_id: 'text',
    last_change: 'millis',
    state_code: 'text',
    local_count: 'count',
    collect_only_count: 'count',
  },
  key: ['tenant_id', 'last_change', 'state_code'],
  references: { tenant_id: 'tenants.tenant_id' },
  clustered: true,
}

/** Numbers of ended shipments by their last change, so that a page in the middle of that order is found without a walk (D-391). */
export const shipmentChangeRanges: Up = async (db, kind) => {
  await createTable(db, kind, 'shipment_change_ranges', shipment_change_ranges)
}
