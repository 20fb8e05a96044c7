import type { Tables } from '../tables.ts'

type Keys = { readonly [Name in keyof Tables]: readonly (keyof Tables[Name] & string)[] }

/** What names a row of each table; in an order in which every table comes after those that it refers to. */
export const keys: Keys = {
  signing_keys: ['kid'],
  pick_up_points: ['pup_uid'],
  accounts: ['user_uid'],
  tenants: ['tenant_id'],
  clients: ['client_id'],
  pick_up_point_tenants: ['pup_uid', 'tenant_id'],
  lockers: ['locker_uid'],
  shipments: ['shipment_uid'],
  shipment_objects: ['shipment_object_uid'],
  access_codes: ['pup_uid', 'code'],
  attempts: ['locker_uid'],
  outbox: ['message_id'],
  idempotency: ['client_id', 'key'],
  suggestion_uploads: ['upload_id'],
  suggestions: ['upload_id', 'email_key'],
  sandbox_faults: ['tenant_id'],
}

export type TableName = keyof Tables

/** All tables, in that order. */
export const tableNames = Object.keys(keys) as TableName[]
