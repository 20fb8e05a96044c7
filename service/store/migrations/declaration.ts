import { type CreateTableBuilder, type Kysely, sql } from 'kysely'

export type StoreKind = 'sqlite' | 'postgres'

/** A migration. The type is empty, since a migration must not depend on today's tables. */
export type Up = (db: Kysely<unknown>, kind: StoreKind) => Promise<void>

/** Type of a column; a `sequence` is a primary key that grows with each row and is never reused. */
export type Kind = 'text' | 'flag' | 'count' | 'amount' | 'millis' | 'centimetres' | 'grams' | 'sequence'
/** A question mark: nullable. `=0`: default 0. */
export type Column = Kind | `${Kind}?` | `${Kind}=0`

/** A table as a migration declares it. */
export interface TableDeclaration {
  readonly columns: Readonly<Record<string, Column>>
  /** Primary key; absent if there is a sequence. */
  readonly key?: readonly string[]
  readonly unique?: readonly (readonly string[])[]
  /** A question mark: the index leaves out rows where this column is null. */
  readonly indexes?: readonly (readonly string[])[]
  /** Foreign keys: column to `table.column`. */
  readonly references?: Readonly<Record<string, `${string}.${string}`>>
  /** True: the embedded store keeps the rows in the index of the key, without a table beside it. */
  readonly clustered?: boolean
}

const types = {
  text: 'text',
  flag: 'integer',
  count: 'integer',
  amount: 'double precision',
  millis: 'bigint',
  centimetres: 'double precision',
  grams: 'double precision',
} as const

/** Creates a declared table with its keys and indexes. */
export async function createTable(
  db: Kysely<unknown>,
  kind: StoreKind,
  name: string,
  { columns, key, unique = [], indexes = [], references = {}, clustered = false }: TableDeclaration,
): Promise<void> {
  let table: CreateTableBuilder<string, string> = db.schema.createTable(name)
  for (const [column, declared] of Object.entries(columns)) table = withColumn(table, kind, column, declared)
  if (key !== undefined) table = table.addPrimaryKeyConstraint(`${name}_key`, [...key])
  for (const names of unique) table = table.addUniqueConstraint(`${name}_unique_${names.join('_')}`, [...names])
  for (const [column, target] of Object.entries(references)) {
    const [targetTable = '', targetColumn = ''] = target.split('.')
    table = table.addForeignKeyConstraint(`${name}_${column}`, [column], targetTable, [targetColumn])
  }
  if (clustered && kind === 'sqlite') table = table.modifyEnd(sql`without rowid`)
  await table.execute()
  for (const declared of indexes) await createIndex(db, name, declared)
}

async function createIndex(db: Kysely<unknown>, table: string, declared: readonly string[]): Promise<void> {
  const columns = declared.map(column => column.replace(/\?$/, ''))
  const index = db.schema
    .createIndex(`${table}_by_${columns.join('_')}`)
    .on(table)
    .columns(columns)
  const leftOut = declared.findIndex(column => column.endsWith('?'))
  await (leftOut < 0 ? index : index.where(sql.ref(columns[leftOut] ?? ''), 'is not', null)).execute()
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
