import { createTables, type TableDeclaration, type Up } from './declaration.ts'

/** Each table follows those that it references. */
const tables: Readonly<Record<string, TableDeclaration>> = {
  /** Items attached to shipments. */
  shipment_objects: {
    columns: {
      seq: 'sequence',
      shipment_object_uid: 'text',
      shipment_uid: 'text',
      reference_no: 'text?',
      description: 'text?',
      weight: 'grams?',
      count: 'count?',
      width: 'centimetres?',
      height: 'centimetres?',
      length: 'centimetres?',
    },
    unique: [['shipment_object_uid']],
    // In this order a page reads its objects, and no more than it may have.
    indexes: [['shipment_uid', 'seq']],
    references: { shipment_uid: 'shipments.shipment_uid' },
  },
  /** Faults that tenants have switched on in the sandbox. */
  sandbox_faults: {
    columns: { tenant_id: 'text', mutation_config_fails: 'flag', hardware_fails: 'flag' },
    key: ['tenant_id'],
    references: { tenant_id: 'tenants.tenant_id' },
  },
  /** The states of doors that adapters of locker hardware report. */
  locker_doors: {
    columns: {
      locker_uid: 'text',
      state: 'text',
      sequence: 'millis',
      reported_at: 'millis?',
      reason: 'text?',
      open_id: 'text?',
      failed_open_id: 'text?',
    },
    key: ['locker_uid'],
    references: { locker_uid: 'lockers.locker_uid' },
    cascade: ['locker_uid'],
  },
  /** The moments at which processes copy decisions about flows again, so that services see a process that stands still. */
  decision_collections: {
    columns: { tenant_id: 'text', due_at: 'millis' },
    key: ['tenant_id'],
    references: { tenant_id: 'tenants.tenant_id' },
  },
}

/** Tables whose rows belong to a shipment, a locker, a tenant or a person. */
export const furtherTables: Up = (db, kind) => createTables(db, kind, tables)
