import { type RawBuilder, sql } from 'kysely'
import type { Store } from '../store.ts'
import { type TableName, tableNames } from './tables.ts'

/** The audit log only grows, and refuses deletions. */
const kept: readonly TableName[] = ['audit_log', 'audit_purges']
const restored = tableNames.filter(name => !kept.includes(name))

/**
 * Writes an embedded store into a new file.
 * @throws Error when the file exists
 */
export async function saveStore(store: Store, file: string): Promise<void> {
  await sql`vacuum into ${file}`.execute(store)
}

/**
 * Gives an embedded store the rows of a file that `saveStore` wrote, in one transaction. The audit log stays. The caller
 * stops requests meanwhile.
 */
export async function restoreStore(store: Store, file: string): Promise<void> {
  // The connection of the statements before and after the transaction is the same: the embedded store has one.
  await sql`attach database ${file} as saved`.execute(store)
  try {
    await store.transaction().execute(async tx => {
      const run = (statement: RawBuilder<unknown>) => statement.execute(tx)
      await run(sql`pragma defer_foreign_keys = on`)
      for (const name of restored) await run(sql`delete from main.${sql.table(name)}`)
      for (const name of restored) {
        await run(sql`insert into main.${sql.table(name)} select * from saved.${sql.table(name)}`)
      }
    })
  } finally {
    await sql`detach database saved`.execute(store)
  }
}
