import { sql } from 'kysely'
import { createTables, type TableDeclaration, type Up } from './declaration.ts'

const tables: Readonly<Record<string, TableDeclaration>> = {
  /** Numbers of ended shipments that are counted once, since a list contains the number of all. */
  shipment_counts: {
    columns: {
      tenant_id: 'text',
      state_code: 'text',
      local_count: 'millis',
      collect_only_count: 'millis',
      counted_until: 'millis',
    },
    key: ['tenant_id', 'state_code'],
    references: { tenant_id: 'tenants.tenant_id' },
  },
  /** Numbers of shipments by their order of creation, so that a page in the middle of all is found without a walk. */
  shipment_ranges: {
    columns: { tenant_id: 'text', last_seq: 'reference', local_count: 'count', collect_only_count: 'count' },
    key: ['tenant_id', 'last_seq'],
    references: { tenant_id: 'tenants.tenant_id' },
    clustered: true,
  },
  /** Numbers of ended shipments in these ranges, so that a page in the middle of them is found without a walk. */
  shipment_range_states: {
    columns: {
      tenant_id: 'text',
      last_seq: 'reference',
      state_code: 'text',
      local_count: 'count',
      collect_only_count: 'count',
    },
    key: ['tenant_id', 'last_seq', 'state_code'],
    references: { tenant_id: 'tenants.tenant_id' },
    clustered: true,
  },
  /**
   * Numbers of ended shipments by their last change, so that a page in the middle of that order is found without a walk.
   */
  shipment_change_ranges: {
    columns: {
      tenant_id: 'text',
      last_change: 'millis',
      state_code: 'text',
      local_count: 'count',
      collect_only_count: 'count',
    },
    key: ['tenant_id', 'last_change', 'state_code'],
    references: { tenant_id: 'tenants.tenant_id' },
    clustered: true,
  },
}

/** The columns of the users of a shipment, and their different values as a share of its rows. */
const userColumns = ['from_user_uid', 'to_user_uid']
const differentUsers = -0.1

/** Numbers of shipments, for the counts and the pages of lists. */
export const shipmentCounts: Up = async (db, kind) => {
  await createTables(db, kind, tables)
  if (kind === 'sqlite') return
  // If most shipments come from one dispatcher, a sample finds no other user, and every user is taken for that one.
  for (const column of userColumns)
    await sql`alter table shipments alter column ${sql.ref(column)} set (n_distinct = ${sql.lit(differentUsers)})`.execute(
      db,
    )
}
