import { createTable, type TableDeclaration, type Up } from './declaration.ts'

const table: TableDeclaration = {
  columns: {
    key_id: 'text',
    subject: 'text?',
    user_uid: 'text?',
    sealed_key: 'text?',
    created_at: 'millis',
    forgotten_at: 'millis?',
  },
  key: ['key_id'],
  unique: [['subject']],
  indexes: [['user_uid']],
}

/** Keys of persons, which encrypt their names and addresses in histories of flows. The orchestrator fills the table (D-196). */
export const personalKeys: Up = (db, kind) => createTable(db, kind, 'personal_keys', table)
