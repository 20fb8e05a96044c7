import { sql } from 'kysely'
import {
  assertDecrypts,
  findStoreKeys,
  type KeyEncryption,
  loadStagingKeys,
  reencryptDataKeys,
} from '../../encryption/index.ts'
import { isNewer } from '../migrate.ts'
import { openStore } from '../open.ts'
import type { Store, StoreTransaction } from '../store.ts'
import { openAlone, readSequences } from './source.ts'
import { assertNoNul, type Row, type TableName, tableNames, withAnyTable } from './tables.ts'

/** Rows per insert. PostgreSQL accepts 65,535 parameters per statement, and no table has more than 30 columns. */
const sliceSize = 1_000

export interface CopiedTable {
  readonly table: TableName
  readonly rows: number
}

export interface CopyOptions {
  /** Called after each table. All tables are committed together at the end. */
  readonly onTable?: (copied: CopiedTable) => void | Promise<void>
  /** Ends the copy, which leaves the target empty. */
  readonly signal?: AbortSignal
  /** Decrypts the data keys of the source. Default: that of the target, and that of staging. */
  readonly sourceKeys?: KeyEncryption | undefined
  /** Encrypts them in the target. Default: that of staging. */
  readonly targetKeys?: KeyEncryption | undefined
}

/** The database already has rows. */
export class TargetNotEmpty extends Error {
  override readonly name = 'TargetNotEmpty'

  constructor(table: TableName) {
    super(`to: must be an empty database, but it has rows in ${table}.`)
  }
}

/**
 * Copies an embedded store into an empty PostgreSQL store in one transaction. The tables of both are migrated first, and
 * the rows of the embedded store stay unchanged.
 * @param from `file:` URL of a store that no process has open
 * @param to `postgres://` URL of an existing database
 * @throws SettingsError when no key decrypts the data keys of the source
 * @throws TargetNotEmpty
 * @throws the signal's reason
 * @throws Error when a store cannot be opened, the source is in use, either store is of a newer version, or a row cannot be stored
 * in the target
 */
export async function copyStore(
  from: string,
  to: string,
  { onTable, signal, sourceKeys, targetKeys }: CopyOptions = {},
): Promise<readonly CopiedTable[]> {
  const source = await openAlone(from)
  try {
    const keys = sourceKeys ?? findStoreKeys(from, targetKeys)
    // Before hours of copying.
    await assertDecrypts(keys, source)
    // Statements that read a whole table take as long as it is large.
    const target = await openStore(to, { name: 'to', statementTimeout: 0 })
    try {
      // Its migrations have run, so none of them would fill its columns of the copied rows.
      if (await isNewer(target))
        throw new Error(
          'to: must be a database of this version or an earlier one: copy with the version that made its tables',
        )
      return await target
        .transaction()
        .setIsolationLevel('read committed')
        .execute(async tx => {
          const copied = await copyAll(source, tx, { onTable, signal })
          await reencryptDataKeys(tx, keys, targetKeys ?? loadStagingKeys(to))
          signal?.throwIfAborted()
          return copied
        })
    } finally {
      await target.destroy()
    }
  } finally {
    await source.destroy()
  }
}

async function copyAll(
  source: Store,
  target: StoreTransaction,
  { onTable, signal }: { readonly onTable: CopyOptions['onTable']; readonly signal: AbortSignal | undefined },
): Promise<CopiedTable[]> {
  await lockEmptyTables(target)
  const copied: CopiedTable[] = []
  for (const table of tableNames) {
    const rows = await copyTable(source, target, { table, signal })
    await onTable?.({ table, rows })
    copied.push({ table, rows })
  }
  await continueSequences(source, target)
  for (const { table, rows } of copied) await verifyTable(source, target, table, rows)
  return copied
}

/** Services that start on the database meanwhile wait at their first write. */
async function lockEmptyTables(target: StoreTransaction): Promise<void> {
  await sql`lock table ${sql.join(tableNames.map(name => sql.table(name)))} in exclusive mode`.execute(target)
  for (const table of tableNames) {
    const row = await withAnyTable(target).selectFrom(table).select(sql`1`.as('there')).limit(1).executeTakeFirst()
    if (row !== undefined) throw new TargetNotEmpty(table)
  }
}

/** Streams rows from the source and inserts them in slices, so that tables of any size fit into memory. */
async function copyTable(
  source: Store,
  target: StoreTransaction,
  { table, signal }: { readonly table: TableName; readonly signal: AbortSignal | undefined },
): Promise<number> {
  let count = 0
  let slice: Row[] = []
  const insert = async () => {
    signal?.throwIfAborted()
    if (slice.length > 0) await withAnyTable(target).insertInto(table).values(slice).execute()
    count += slice.length
    slice = []
  }
  for await (const row of withAnyTable(source).selectFrom(table).selectAll().stream()) {
    assertNoNul(table, row)
    slice.push(row)
    if (slice.length === sliceSize) await insert()
  }
  await insert()
  return count
}

/** New rows get higher numbers than any row ever had, deleted rows included. */
async function continueSequences(source: Store, target: StoreTransaction): Promise<void> {
  const sequences = await readSequences(source)
  for (const table of tableNames) {
    const last = sequences.get(table) ?? 0
    if (last < 1) continue
    await sql`select setval(pg_get_serial_sequence(${table}, 'seq'), ${last})`.execute(target)
  }
}

async function verifyTable(source: Store, target: StoreTransaction, table: TableName, rows: number): Promise<void> {
  const [before, after] = await Promise.all([countRows(source, table), countRows(target, table)])
  if (before === rows && after === rows) return
  throw new Error(`${table} has ${before} rows, of which ${rows} were copied and ${after} arrived`)
}

async function countRows(store: Store, table: TableName): Promise<number> {
  const { count } = await withAnyTable(store)
    .selectFrom(table)
    .select(eb => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
