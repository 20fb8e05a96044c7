import { createTable, type TableDeclaration, type Up } from './declaration.ts'

const locker_doors: TableDeclaration = {
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
}

/** The states of doors that adapters of locker hardware report. */
export const lockerDoors: Up = (db, kind) => createTable(db, kind, 'locker_doors', locker_doors)
