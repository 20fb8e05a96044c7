import { createTable, type TableDeclaration, type Up } from './declaration.ts'

const shipment_objects: TableDeclaration = {
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
}

/** Items attached to shipments. */
export const shipmentObjects: Up = (db, kind) => createTable(db, kind, 'shipment_objects', shipment_objects)
