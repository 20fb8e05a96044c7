import { createTable, type TableDeclaration, type Up } from './declaration.ts'

const decision_collections: TableDeclaration = {
  columns: { tenant_id: 'text', due_at: 'millis' },
  key: ['tenant_id'],
  references: { tenant_id: 'tenants.tenant_id' },
}

/** The moments at which processes copy decisions about flows again, so that services see a process that stands still (D-322). */
export const decisionCollections: Up = async (db, kind) => {
  await createTable(db, kind, 'decision_collections', decision_collections)
}
