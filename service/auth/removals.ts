import type { StoreTransaction } from '../store/index.ts'
import type { RemovalRow } from '../store/tables.ts'

/** Returns whether a client, tenant or signing key was removed. A topology file or a setting must not revive it. */
export async function wasRemoved(tx: StoreTransaction, kind: RemovalRow['kind'], id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('removals')
    .select('id')
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

export async function recordRemoval(
  tx: StoreTransaction,
  kind: RemovalRow['kind'],
  id: string,
  removed_at: number,
): Promise<void> {
  await tx
    .insertInto('removals')
    .values({ kind, id, removed_at })
    .onConflict(conflict => conflict.columns(['kind', 'id']).doUpdateSet({ removed_at }))
    .execute()
}

/** Allows a removed client to be added again. */
export async function forgetRemoval(tx: StoreTransaction, kind: RemovalRow['kind'], id: string): Promise<void> {
  await tx.deleteFrom('removals').where('kind', '=', kind).where('id', '=', id).execute()
}
