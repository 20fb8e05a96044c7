import { sql } from 'kysely'
import type { Service } from '#service'
import { hasRowLocks } from '../../service/store/rowLocks.ts'

/**
 * Holds the store, so that calls wait in the middle of their way: its one writer, or the tables that every call needs.
 * @returns once it is held: what lets it go
 */
export async function holdStore({ store }: Pick<Service, 'store'>): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const ended = store.transaction().execute(async tx => {
    if (hasRowLocks(store)) await sql`lock table tenants, accounts, pick_up_points, lockers, idempotency`.execute(tx)
    held.resolve()
    await released.promise
  })
  await held.promise
  return () => {
    released.resolve()
    return ended
  }
}
