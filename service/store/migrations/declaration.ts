import { type CreateTableBuilder, type Kysely, sql } from 'kysely'

export type StoreKind = 'sqlite' | 'postgres'

/** One step forward of the tables; it knows nothing of today's rows, hence the empty type. */
export type Up = (db: Kysely<unknown>, kind: StoreKind) => Promise<void>

/** What a column holds; `sequence` is a primary key that grows with every row and is never given twice. */
export type Kind = 'text' | 'flag' | 'count' | 'millis' | 'centimetres' | 'grams' | 'sequence'
/** A question mark: may be null. An equals sign: 0 when an insert leaves it out. */
export type Column = Kind | `${Kind}?` | `${Kind}=0`

/** A table as a migration declares it. */
export interface TableDeclaration {
  readonly columns: Readonly<Record<string, Column>>
  /** Primary key; left out where there is a sequence. */
  readonly key?: readonly string[]
  readonly unique?: readonly (readonly string[])[]
  /** A column with a question mark: rows where it is null are left out of the index. */
  readonly indexes?: readonly (readonly string[])[]
  /** Column to the `table.column` that it names a row of. */
  readonly references?: Readonly<Record<string, `${string}.${string}`>>
}

const types = {
  text: 'text',
  flag: 'integer',
  count: 'integer',
  millis: 'bigint',
  centimetres: 'double precision',
  grams: 'double precision',
} as const

/** Creates a declared table with its keys and indexes. */
export async function createTable(
  db: Kysely<unknown>,
  kind: StoreKind,
  name: string,
  { columns, key, unique = [], indexes = [], references = {} }: TableDeclaration,
): Promise<void> {
  let table: CreateTableBuilder<string, string> = db.schema.createTable(name)
  for (const [column, declared] of Object.entries(columns)) table = withColumn(table, kind, column, declared)
  if (key !== undefined) table = table.addPrimaryKeyConstraint(`${name}_key`, [...key])
  for (const names of unique) table = table.addUniqueConstraint(`${name}_unique_${names.join('_')}`, [...names])
  for (const [column, target] of Object.entries(references)) {
    const [targetTable = '', targetColumn = ''] = target.split('.')
    table = table.addForeignKeyConstraint(`${name}_${column}`, [column], targetTable, [targetColumn])
  }
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
  // By bytes as in the embedded store, whatever the database's own order is.
  const type = kind === 'text' && storeKind === 'postgres' ? sql`text collate "C"` : types[kind]
  return table.addColumn(name, type, column => {
    const filled = declared.endsWith('?') ? column : column.notNull()
    return declared.endsWith('=0') ? filled.defaultTo(0) : filled
  })
}
