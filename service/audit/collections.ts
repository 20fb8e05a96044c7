import type { Store } from '../store/index.ts'

/** When the decisions about a tenant's flows are copied next. */
export interface ExpectedCollection {
  readonly tenantId: string
  /** Milliseconds since 1970. */
  readonly dueAt: number
}

/** Expects a pass. One that was expected before keeps its moment, so a process that only restarts stays late. */
export async function expectCollection(store: Store, { tenantId, dueAt }: ExpectedCollection): Promise<void> {
  await store
    .insertInto('decision_collections')
    .values({ tenant_id: tenantId, due_at: dueAt })
    .onConflict(conflict => conflict.column('tenant_id').doNothing())
    .execute()
}

/** Replaces the expected pass by the next one, after one that succeeded. */
export async function postponeCollection(store: Store, { tenantId, dueAt }: ExpectedCollection): Promise<void> {
  await store
    .insertInto('decision_collections')
    .values({ tenant_id: tenantId, due_at: dueAt })
    .onConflict(conflict => conflict.column('tenant_id').doUpdateSet({ due_at: dueAt }))
    .execute()
}

/** Expects no further pass. */
export async function endCollections(store: Store, tenantId: string): Promise<void> {
  await store.deleteFrom('decision_collections').where('tenant_id', '=', tenantId).execute()
}

/** Milliseconds since the most overdue of the expected passes was due; 0 if none is overdue. */
export async function readLateness(store: Store, now: number = Date.now()): Promise<number> {
  const { dueAt } = await store
    .selectFrom('decision_collections')
    .select(({ fn }) => fn.min('due_at').as('dueAt'))
    .executeTakeFirstOrThrow()
  return Math.max(0, now - Number(dueAt ?? now))
}
