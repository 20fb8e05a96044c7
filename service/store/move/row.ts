import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import { keys, type TableName } from './keys.ts'

/** A row of any table, as both stores have it. */
export type Row = Readonly<Record<string, string | number | null>>

/** A table by a name that is only known when it is used. */
export type AnyTables = Record<string, Row>

/** The same store, for tables of any name. */
export function anyTables(store: Kysely<Tables>): Kysely<AnyTables> {
  return store as unknown as Kysely<AnyTables>
}

/**
 * Lets only rows through that PostgreSQL can hold.
 * @throws Error when a text has the character NUL in it
 */
export function refuseNul(table: TableName, row: Row): void {
  for (const [column, value] of Object.entries(row)) {
    if (typeof value !== 'string' || !value.includes('\0')) continue
    const key = keys[table].map(name => `${name} ${JSON.stringify(row[name])}`).join(', ')
    throw new Error(`${table}.${column} of ${key} has the character NUL in it, which PostgreSQL cannot keep`)
  }
}
