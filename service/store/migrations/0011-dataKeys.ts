import { createTable, type TableDeclaration, type Up } from './declaration.ts'

const data_keys: TableDeclaration = {
  columns: { data_key_id: 'text', encrypted_by: 'text', encrypted_key: 'text', used_from: 'millis' },
  key: ['data_key_id', 'encrypted_by'],
}

/** The keys that encrypt columns of the store. */
export const dataKeys: Up = (db, kind) => createTable(db, kind, 'data_keys', data_keys)
