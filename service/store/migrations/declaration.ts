import { type CreateTableBuilder, type Kysely, sql } from 'kysely'

export type StoreKind = 'sqlite' | 'postgres'

/** A migration. The type is empty, since a migration must not depend on today's tables. */
export type Up = (db: Kysely<unknown>, kind: StoreKind) => Promise<void>

/**
 * Type of a column; a `sequence` is a primary key that grows with each row and is never reused, a `reference` is the
 * sequence of another row.
 */
export type Kind = 'text' | 'flag' | 'count' | 'amount' | 'millis' | 'centimetres' | 'grams' | 'sequence' | 'reference'
/** A question mark: nullable. `=0`: default 0. */
export type Column = Kind | `${Kind}?` | `${Kind}=0`

/** A table as a migration declares it. */
export interface TableDeclaration {
  readonly columns: Readonly<Record<string, Column>>
  /** Primary key; absent if there is a sequence. */
  readonly key?: readonly string[]
  readonly unique?: readonly (readonly string[])[]
  readonly indexes?: readonly (readonly string[] | PartialIndex)[]
  /** Foreign keys: column to `table.column`. */
  readonly references?: Readonly<Record<string, `${string}.${string}`>>
  /** True: the embedded store keeps the rows in the index of the key, without a table beside it. */
  readonly clustered?: boolean
  /**
   * Percentage of a page that PostgreSQL fills with new rows. Updates of unindexed columns then stay in their page, and write no
   * index.
   */
  readonly fillFactor?: number
  /** Columns of `references` that become null when the row that they reference is deleted. */
  readonly setNull?: readonly string[]
  /** Columns of `references` whose rows are deleted with the row that they reference. */
  readonly cascade?: readonly string[]
}

/** An index of the rows that fulfil a condition. A list of columns with a question mark: those where it is not null. */
export interface PartialIndex {
  readonly columns: readonly string[]
  /** A condition in SQL, the same text for both stores. */
  readonly where: string
}

const types = {
  text: 'text',
  flag: 'integer',
  count: 'integer',
  amount: 'double precision',
  millis: 'bigint',
  centimetres: 'double precision',
  grams: 'double precision',
  reference: 'bigint',
} as const

/** Creates declared tables in their order: each follows those that it references. */
export async function createTables(
  db: Kysely<unknown>,
  kind: StoreKind,
  tables: Readonly<Record<string, TableDeclaration>>,
): Promise<void> {
  for (const [name, table] of Object.entries(tables)) await createTable(db, kind, name, table)
}

/** Creates a declared table with its keys and indexes. */
async function createTable(
  db: Kysely<unknown>,
  kind: StoreKind,
  name: string,
  {
    columns,
    key,
    unique = [],
    indexes = [],
    references = {},
    setNull = [],
    cascade = [],
    clustered = false,
    fillFactor,
  }: TableDeclaration,
): Promise<void> {
  let table: CreateTableBuilder<string, string> = db.schema.createTable(name)
  for (const [column, declared] of Object.entries(columns)) table = withColumn(table, kind, column, declared)
  if (key !== undefined) table = table.addPrimaryKeyConstraint(`${name}_key`, [...key])
  for (const names of unique) table = table.addUniqueConstraint(`${name}_unique_${names.join('_')}`, [...names])
  for (const [column, target] of Object.entries(references)) {
    const [targetTable = '', targetColumn = ''] = target.split('.')
    table = table.addForeignKeyConstraint(`${name}_${column}`, [column], targetTable, [targetColumn], constraint => {
      if (cascade.includes(column)) return constraint.onDelete('cascade')
      return setNull.includes(column) ? constraint.onDelete('set null') : constraint
    })
  }
  if (clustered && kind === 'sqlite') table = table.modifyEnd(sql`without rowid`)
  if (fillFactor !== undefined && kind === 'postgres')
    table = table.modifyEnd(sql`with (fillfactor = ${sql.lit(fillFactor)})`)
  await table.execute()
  for (const declared of indexes) await createIndex(db, name, declared)
}

async function createIndex(
  db: Kysely<unknown>,
  table: string,
  declared: readonly string[] | PartialIndex,
): Promise<void> {
  const { columns, where } = 'where' in declared ? declared : toPartialIndex(declared)
  const index = db.schema
    .createIndex(`${table}_by_${columns.join('_')}`)
    .on(table)
    .columns([...columns])
  await (where === undefined ? index : index.where(sql<boolean>`${sql.raw(where)}`)).execute()
}

function toPartialIndex(declared: readonly string[]): { columns: readonly string[]; where: string | undefined } {
  const leftOut = declared.find(column => column.endsWith('?'))
  return {
    columns: declared.map(column => column.replace(/\?$/, '')),
    where: leftOut === undefined ? undefined : `${leftOut.slice(0, -1)} is not null`,
  }
}

function withColumn(
  table: CreateTableBuilder<string, string>,
  storeKind: StoreKind,
  name: string,
  declared: Column,
): CreateTableBuilder<string, string> {
  const kind = declared.replace(/\?$|=0$/, '') as Kind
  if (kind === 'sequence') {
    return storeKind === 'sqlite'
      ? table.addColumn(name, 'integer', column => column.primaryKey().autoIncrement())
      : table.addColumn(name, 'bigserial', column => column.primaryKey())
  }
  // Sorted by bytes as in the embedded store, independent of the database's collation.
  const type = kind === 'text' && storeKind === 'postgres' ? sql`text collate "C"` : types[kind]
  return table.addColumn(name, type, column => {
    const filled = declared.endsWith('?') ? column : column.notNull()
    return declared.endsWith('=0') ? filled.defaultTo(0) : filled
  })
}
