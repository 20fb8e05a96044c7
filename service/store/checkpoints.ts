import { sql } from 'kysely'
import { hasRowLocks } from './locks.ts'
import type { Store } from './store.ts'

/** Pages of the write-ahead log at which a commit copies them to the file of the embedded store. 1,000 is SQLite's default. */
const checkpointPages = { usual: 1_000, small: 250 }

/**
 * Runs a transaction whose commit copies fewer pages at a time (D-392). A checkpoint runs in the thread of the service, so a
 * large one delays requests. Small ones for all commits would cost a quarter of the bookings. PostgreSQL has a process for it.
 */
export async function withSmallCheckpoints<Result>(store: Store, run: () => Promise<Result>): Promise<Result> {
  if (hasRowLocks(store)) return run()
  await setCheckpoint(store, checkpointPages.small)
  try {
    return await run()
  } finally {
    await setCheckpoint(store, checkpointPages.usual)
  }
}

async function setCheckpoint(store: Store, pages: number): Promise<void> {
  await sql`pragma wal_autocheckpoint = ${sql.lit(pages)}`.execute(store)
}
