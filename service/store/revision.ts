import type { Store, StoreTransaction } from './store.ts'

const name = 'auth'

/** Reads the revision of clients, tenants, signing keys and data keys. */
export async function readRevision(store: Store): Promise<number> {
  const row = await store.selectFrom('revisions').select('revision').where('name', '=', name).executeTakeFirst()
  return row?.revision ?? 0
}

/** Makes every process read clients and keys again. Call it in the transaction that ends tokens or changes keys. */
export async function bumpRevision(tx: StoreTransaction): Promise<void> {
  await tx
    .insertInto('revisions')
    .values({ name, revision: 1 })
    .onConflict(conflict => conflict.column('name').doUpdateSet(eb => ({ revision: eb('revisions.revision', '+', 1) })))
    .execute()
}
