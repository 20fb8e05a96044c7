import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

type Keys = { readonly [Name in keyof Tables]: readonly (keyof Tables[Name] & string)[] }

/** The unique key of each table, in an order in which each table follows those that it references. */
export const keys: Keys = {
  signing_keys: ['kid'],
  data_keys: ['data_key_id', 'encrypted_by'],
  pick_up_points: ['pup_uid'],
  accounts: ['user_uid'],
  tenants: ['tenant_id'],
  clients: ['client_id'],
  client_secrets: ['client_id', 'secret_salt'],
  secret_attempts: ['client_id', 'address'],
  rate_buckets: ['client_id'],
  removals: ['kind', 'id'],
  revisions: ['name'],
  pick_up_point_tenants: ['pup_uid', 'tenant_id'],
  lockers: ['locker_uid'],
  locker_doors: ['locker_uid'],
  shipments: ['shipment_uid'],
  shipment_objects: ['shipment_object_uid'],
  shipment_counts: ['tenant_id', 'state_code'],
  shipment_ranges: ['tenant_id', 'last_seq'],
  shipment_range_states: ['tenant_id', 'last_seq', 'state_code'],
  shipment_change_ranges: ['tenant_id', 'last_change', 'state_code'],
  access_codes: ['pup_uid', 'code_hash'],
  pin_attempts: ['tenant_id', 'locker_uid'],
  outbox: ['message_id'],
  idempotency: ['client_id', 'key'],
  suggestion_uploads: ['upload_id'],
  suggestions: ['upload_id', 'email_key'],
  suggestion_words: ['upload_id', 'word', 'position'],
  sandbox_faults: ['tenant_id'],
  audit_purges: ['log'],
  audit_log: ['seq'],
  decision_collections: ['tenant_id'],
}

export type TableName = keyof Tables

/** All tables, in the order of `keys`. */
export const tableNames = Object.keys(keys) as TableName[]

/** A row of any table. Both stores return the same types. */
export type Row = Readonly<Record<string, string | number | null>>

/** Types a store as one with tables of any name, for loops over the tables. */
export function withAnyTable(store: Kysely<Tables>): Kysely<Record<string, Row>> {
  return store as unknown as Kysely<Record<string, Row>>
}

/** @throws Error when a text of the row contains the character NUL, which PostgreSQL cannot store */
export function assertNoNul(table: TableName, row: Row): void {
  for (const [column, value] of Object.entries(row)) {
    if (typeof value !== 'string' || !value.includes('\0')) continue
    const key = keys[table].map(name => `${name} ${JSON.stringify(row[name])}`).join(', ')
    throw new Error(`${table}.${column} of ${key} must not contain the character NUL, which PostgreSQL cannot store`)
  }
}
