// The benchmarks of the service. The command imports this.
import { startPostgres } from '../../test/setup/postgresServer.ts'
import type { Row } from '../row.ts'
import { benchBookings } from './bookings.ts'
import { benchColdStart } from './coldStart.ts'
import { benchFirstCallback } from './firstCallback.ts'
import { benchRefusals } from './refusals.ts'
import { embedded, ownTables, postgres } from './stores.ts'

const rounds = 5
const milliseconds = 3_000
const bookings = 500

/** Runs them one after the other: each wants the machine for itself. */
export async function benchService(): Promise<Row[]> {
  const server = await startPostgres({ durable: true })
  try {
    const inServer = postgres(server)
    return [
      await benchBookings(embedded, { rounds, milliseconds }),
      await benchBookings(inServer, { rounds, milliseconds }),
      await benchBookings(inServer, { rounds, milliseconds, against: ownTables }),
      await benchRefusals({ rounds, milliseconds }),
      await benchFirstCallback(embedded, bookings),
      await benchFirstCallback(inServer, bookings),
      await benchColdStart(embedded, rounds),
      await benchColdStart(inServer, rounds),
    ]
  } finally {
    await server.remove()
  }
}
