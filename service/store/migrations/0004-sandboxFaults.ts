import { createTable, type TableDeclaration, type Up } from './declaration.ts'

const sandbox_faults: TableDeclaration = {
  columns: { tenant_id: 'text', mutation_config_fails: 'flag', hardware_fails: 'flag' },
  key: ['tenant_id'],
  references: { tenant_id: 'tenants.tenant_id' },
}

/** Faults that tenants have switched on in the sandbox. */
export const sandboxFaults: Up = (db, kind) => createTable(db, kind, 'sandbox_faults', sandbox_faults)
