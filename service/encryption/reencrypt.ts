import { setTimeout as delay } from 'node:timers/promises'
import { type SelectQueryBuilder, sql } from 'kysely'
import { inTransaction, type Store, type StoreTransaction } from '../store/index.ts'
import { skipLocked } from '../store/locks.ts'
import type { Tables } from '../store/tables.ts'
import { type SecretColumn, type Secrets, valuePrefix } from './secrets.ts'

/** The encrypted columns of each table, and the column that is the id of the row. */
const encryptedTables = [
  { table: 'signing_keys', id: 'kid', columns: ['private_jwk'] },
  { table: 'tenants', id: 'tenant_id', columns: ['callback_key', 'callback_key_previous'] },
  { table: 'shipments', id: 'shipment_uid', columns: ['pick_up_code', 'delivery_code'] },
] as const satisfies readonly EncryptedTable[]

interface EncryptedTable {
  readonly table: 'signing_keys' | 'tenants' | 'shipments'
  readonly id: string
  readonly columns: readonly string[]
}

type Row = Readonly<Record<string, string | null>>

/** Rows of one transaction: few, so that no request waits long for a row. */
const sliceSize = 100
/** Milliseconds until rows that requests had locked are retried. */
const retryInterval = 100

interface Reencryption {
  readonly oldIds: readonly string[]
  readonly signal: AbortSignal | undefined
}

/**
 * Encrypts all values of old data keys again under the current data key, and hashes access codes under all data keys.
 * Skips rows that a request has locked, and retries them until none is left. Returns the number of rows.
 * @throws the reason of the signal, between two transactions
 */
export async function reencrypt(store: Store, secrets: Secrets, { oldIds, signal }: Reencryption): Promise<number> {
  let total = 0
  for (const table of encryptedTables) {
    while ((await findRows(store, table, { oldIds, after: '' }).limit(1).execute()).length > 0) {
      const rows = await reencryptTable(store, secrets, table, { oldIds, signal })
      total += rows
      if (rows === 0) await delay(retryInterval)
    }
  }
  return total
}

async function reencryptTable(
  store: Store,
  secrets: Secrets,
  table: EncryptedTable,
  { oldIds, signal }: Reencryption,
): Promise<number> {
  let count = 0
  for (let after = ''; ; ) {
    signal?.throwIfAborted()
    // No index finds these rows. In a transaction, the search would block the writers of an embedded store.
    const found = await findRows(store, table, { oldIds, after }).limit(sliceSize).execute()
    const ids = found.map(row => String(row[table.id]))
    const last = ids.at(-1)
    if (last === undefined) return count
    count += await inTransaction(store, async tx => {
      const rows = await findRows(tx, table, { oldIds, after })
        .where(sql<boolean>`${sql.ref(table.id)} in (${sql.join(ids)})`)
        .modifyEnd(skipLocked(tx))
        .execute()
      for (const row of rows) await reencryptRow(tx, secrets, table, row)
      return rows.length
    })
    after = last
  }
}

async function reencryptRow(tx: StoreTransaction, secrets: Secrets, table: EncryptedTable, row: Row): Promise<void> {
  const id = String(row[table.id])
  const values: Record<string, string> = {}
  for (const column of table.columns) {
    const encrypted = row[column]
    if (encrypted == null) continue
    const name = `${table.table}.${column}` as SecretColumn
    const text = secrets.decrypt(name, id, encrypted)
    values[column] = secrets.encrypt(name, id, text)
    if (table.table === 'shipments') await hashAgain(tx, secrets, String(row.pup_uid), text)
  }
  await sql`update ${sql.table(table.table)} set ${sql.join(
    Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
  )} where ${sql.ref(table.id)} = ${id}`.execute(tx)
}

async function hashAgain(tx: StoreTransaction, secrets: Secrets, pup_uid: string, code: string): Promise<void> {
  await tx
    .insertInto('access_codes')
    .values(secrets.hashCodes(pup_uid, [code]).map(({ code: _, ...hash }) => ({ pup_uid, ...hash })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Rows with a value of an old data key, in the order of their ids. */
function findRows(
  store: Store,
  { table, id, columns }: EncryptedTable,
  { oldIds, after }: { readonly oldIds: readonly string[]; readonly after: string },
): SelectQueryBuilder<Tables, never, Row> {
  const isOld = columns.flatMap(column =>
    oldIds.map(valuePrefix).map(prefix => sql`substr(${sql.ref(column)}, 1, ${sql.lit(prefix.length)}) = ${prefix}`),
  )
  const query = store
    .selectFrom(table)
    .selectAll()
    .where(sql<boolean>`${sql.ref(id)} > ${after}`)
    .where(sql<boolean>`(${sql.join(isOld, sql` or `)})`)
    .orderBy(sql`${sql.ref(id)}`)
  return query as unknown as SelectQueryBuilder<Tables, never, Row>
}
