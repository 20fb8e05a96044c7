// The benchmarks of the service. bench/main.ts imports this.
import { startPostgres } from '../../test/support/setup/postgresServer.ts'
import type { Row } from '../row.ts'
import { benchBookings } from './bookings.ts'
import { benchColdStart, benchFirstCallback } from './latencies.ts'
import { benchRefusals } from './refusals.ts'
import { embedded, ownTables, postgres } from './stores.ts'
import { benchSuggestions } from './suggestions.ts'

const rounds = 5
const milliseconds = 3_000
const bookings = 500

/** Runs the benchmarks in sequence, since each needs the whole machine. */
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
      ...(await benchSuggestions(embedded)),
      ...(await benchSuggestions(inServer)),
    ]
  } finally {
    await server.remove()
  }
}
