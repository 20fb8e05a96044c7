import { createTables, type TableDeclaration, type Up } from './declaration.ts'

const tables: Readonly<Record<string, TableDeclaration>> = {
  suggestion_uploads: {
    columns: {
      upload_id: 'text',
      tenant_id: 'text',
      active: 'flag',
      expires_at: 'millis',
      reference: 'text?',
      created_at: 'millis',
      line_count: 'count=0',
    },
    key: ['upload_id'],
    indexes: [
      ['tenant_id', 'active'],
      ['active', 'expires_at'],
    ],
    // No foreign key to the tenant: the rows of a removed tenant are purged later, in small batches.
  },
  suggestions: {
    columns: {
      upload_id: 'text',
      email_key: 'text',
      position: 'count',
      email: 'text',
      phone_number: 'text?',
      language_code: 'text?',
      first_name: 'text?',
      last_name: 'text?',
      remarks: 'text?',
      pick_up_point: 'text?',
      search_key: 'text',
    },
    key: ['upload_id', 'email_key'],
    unique: [['upload_id', 'position']],
    references: { upload_id: 'suggestion_uploads.upload_id' },
  },
  suggestion_words: {
    columns: { upload_id: 'text', word: 'text', position: 'count' },
    key: ['upload_id', 'word', 'position'],
    // No foreign keys: checking each of half a million words would take longer than inserting them.
    clustered: true,
  },
}

/** Uploaded account suggestions, and their words, by which a search finds them. */
export const suggestions: Up = (db, kind) => createTables(db, kind, tables)
