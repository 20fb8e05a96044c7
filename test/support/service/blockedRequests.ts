import { sql } from 'kysely'
import type { Service } from '#service'
import { hasRowLocks } from '../../../service/store/locks.ts'

/**
 * Locks the store, so that requests wait while they are processed: the only writer, or the tables of every request.
 * @returns a function that unlocks it, once it is locked
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
