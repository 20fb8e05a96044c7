import { type Selectable, sql } from 'kysely'
import { inTransaction, type Store } from '../store/index.ts'
import type { Tables } from '../store/tables.ts'

/** Rows of one query, and of one transaction. */
const sliceRows = 1_000

type SequencedTable = 'shipments' | 'shipment_objects' | 'outbox'

/** Reads a table in slices in the order of `seq`, so that tables of any size fit into memory. */
export async function* readSlices<Table extends SequencedTable | 'audit_log'>(
  store: Store,
  table: Table,
): AsyncGenerator<Selectable<Tables[Table]>[]> {
  for (let last = 0; ; ) {
    const { rows } = await sql<Selectable<Tables[Table]> & { readonly seq: number }>`
      select * from ${sql.table(table)} where seq > ${last} order by seq limit ${sql.lit(sliceRows)}`.execute(store)
    const end = rows.at(-1)
    if (end === undefined) return
    yield rows
    last = end.seq
  }
}

/** A change of one row. */
export interface Blank {
  readonly table: SequencedTable | 'idempotency' | 'suggestion_uploads'
  readonly key: Readonly<Record<string, string | number>>
  readonly set: Readonly<Record<string, string | null>>
}

/** Applies changes in one transaction. Returns the number of changed rows. */
export function applyBlanks(store: Store, blanks: readonly Blank[]): Promise<number> {
  if (blanks.length === 0) return Promise.resolve(0)
  return inTransaction(store, async tx => {
    let changed = 0
    for (const { table, key, set } of blanks) {
      const assignments = Object.entries(set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
      const conditions = Object.entries(key).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
      const { numAffectedRows } = await sql`
        update ${sql.table(table)} set ${sql.join(assignments)} where ${sql.join(conditions, sql` and `)}`.execute(tx)
      changed += Number(numAffectedRows ?? 0)
    }
    return changed
  })
}
