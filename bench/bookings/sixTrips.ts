// Baseline on PostgreSQL: a booking as six statements, each awaited, on three bare tables.
import { serveJobs } from '../child.ts'
import type { BareJob } from './bareSqlite.ts'
import { makeBareTables } from './bareTables.ts'
import { manyCallers } from './manyCallers.ts'
import { bookingAt } from './places.ts'
import { bookInSteps } from './steps.ts'

serveJobs(async ({ store, milliseconds }: BareJob): Promise<number> => {
  await makeBareTables(store)
  return manyCallers(store, milliseconds, async (pool, n) =>
    (await bookInSteps(pool, bookingAt(n).PupUid)) === undefined ? 0 : 1,
  )
})
