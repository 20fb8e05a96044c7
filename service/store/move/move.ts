import { sql } from 'kysely'
import { openStore, type Store } from '../open.ts'
import type { StoreTransaction } from '../transaction.ts'
import { type TableName, tableNames } from './keys.ts'
import { anyTables, type Row, refuseNul } from './row.ts'
import { givenNumbers, openAlone } from './source.ts'

/** A slice is a statement; PostgreSQL takes 65,535 parameters in one, and no table has more than 30 columns. */
const rowsOfSlice = 1_000

export interface MovedTable {
  readonly table: TableName
  readonly rows: number
}

export interface MoveOptions {
  /** Told of each table once its rows are copied; committed are all of them together, at the end. */
  readonly copied?: (moved: MovedTable) => void | Promise<void>
}

/**
 * Copies everything of an embedded store into a PostgreSQL store without rows, in one transaction: all of it is there
 * in the end, or nothing. The tables of both are brought up to date, else the embedded store stays as it is.
 * @param from `file:` URL of a store that nobody has open
 * @param to `postgres://` URL of a database that is there
 * @throws Error when one cannot be opened, the first is in use, the second has rows, or a row cannot be kept there
 */
export async function moveStore(
  from: string,
  to: string,
  { copied }: MoveOptions = {},
): Promise<readonly MovedTable[]> {
  const source = await openAlone(from)
  try {
    const target = await openStore(to)
    try {
      return await target
        .transaction()
        .setIsolationLevel('read committed')
        .execute(tx => moveAll(source, tx, copied))
    } finally {
      await target.destroy()
    }
  } finally {
    await source.destroy()
  }
}

async function moveAll(source: Store, target: StoreTransaction, copied: MoveOptions['copied']): Promise<MovedTable[]> {
  await takeEmpty(target)
  const moved: MovedTable[] = []
  for (const table of tableNames) {
    const rows = await copy(source, target, table)
    await copied?.({ table, rows })
    moved.push({ table, rows })
  }
  await continueNumbers(source, target)
  for (const { table, rows } of moved) await compare(source, target, table, rows)
  return moved
}

/** Services that start on the database meanwhile wait for their first write. */
async function takeEmpty(target: StoreTransaction): Promise<void> {
  await sql`lock table ${sql.join(tableNames.map(name => sql.table(name)))} in exclusive mode`.execute(target)
  for (const table of tableNames) {
    const row = await anyTables(target).selectFrom(table).select(sql`1`.as('there')).limit(1).executeTakeFirst()
    if (row !== undefined) throw new Error(`the PostgreSQL store is not empty: there are rows in ${table}`)
  }
}

/** Row by row out of the one and in slices into the other, so that tables of any size can be copied. */
async function copy(source: Store, target: StoreTransaction, table: TableName): Promise<number> {
  let count = 0
  let slice: Row[] = []
  const insert = async () => {
    if (slice.length > 0) await anyTables(target).insertInto(table).values(slice).execute()
    count += slice.length
    slice = []
  }
  for await (const row of anyTables(source).selectFrom(table).selectAll().stream()) {
    refuseNul(table, row)
    slice.push(row)
    if (slice.length === rowsOfSlice) await insert()
  }
  await insert()
  return count
}

/** New rows get higher numbers than any row ever had, also one that is gone. */
async function continueNumbers(source: Store, target: StoreTransaction): Promise<void> {
  const numbers = await givenNumbers(source)
  for (const table of tableNames) {
    const last = numbers.get(table) ?? 0
    if (last < 1) continue
    await sql`select setval(pg_get_serial_sequence(${table}, 'seq'), ${last})`.execute(target)
  }
}

async function compare(source: Store, target: StoreTransaction, table: TableName, rows: number): Promise<void> {
  const [there, here] = await Promise.all([countOf(source, table), countOf(target, table)])
  if (there === rows && here === rows) return
  throw new Error(`${table} has ${there} rows, of which ${rows} were copied and ${here} arrived`)
}

async function countOf(store: Store, table: TableName): Promise<number> {
  const { count } = await anyTables(store)
    .selectFrom(table)
    .select(eb => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
