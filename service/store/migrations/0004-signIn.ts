import { createTables, type TableDeclaration, type Up } from './declaration.ts'

/** Each table follows those that it references. */
const tables: Readonly<Record<string, TableDeclaration>> = {
  client_secrets: {
    columns: {
      client_id: 'text',
      secret_salt: 'text',
      secret_hash: 'text',
      created_at: 'millis',
      expires_at: 'millis?',
    },
    key: ['client_id', 'secret_salt'],
    references: { client_id: 'clients.client_id' },
  },
  secret_attempts: {
    columns: { client_id: 'text', address: 'text', failures: 'count', lock_expires_at: 'millis' },
    key: ['client_id', 'address'],
    indexes: [['lock_expires_at']],
  },
  rate_buckets: {
    columns: { client_id: 'text', tokens: 'amount', filled_at: 'millis' },
    key: ['client_id'],
  },
  removals: {
    columns: { kind: 'text', id: 'text', removed_at: 'millis' },
    key: ['kind', 'id'],
  },
  revisions: { columns: { name: 'text', revision: 'millis' }, key: ['name'] },
}

/** Secrets of clients, limits that processes share, and what has been removed or revoked. */
export const signIn: Up = (db, kind) => createTables(db, kind, tables)
