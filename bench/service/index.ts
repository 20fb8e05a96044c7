// The benchmarks of the service. bench/main.ts imports this.
import { parseArgs } from 'node:util'
import { type PostgresServer, startPostgres } from '../../test/support/setup/postgresServer.ts'
import type { Row } from '../row.ts'
import { benchBookings, benchSlowBookings } from './bookings.ts'
import { issueKind } from './kinds.ts'
import { benchColdStart, benchFirstCallback } from './latencies.ts'
import { benchRefusals } from './refusals.ts'
import { bareStore, embedded, ownTables, postgres, sixTrips } from './stores.ts'
import { benchSuggestions } from './suggestions.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } }, strict: false })
const rounds = Number(values.rounds)
const milliseconds = 3_000
const warmUp = 6_000
const bookings = 500

/** The bookings alone: `npm run bench -- bookings`. */
export async function benchOnlyBookings(): Promise<Row[]> {
  const server = await startPostgres({ durable: true })
  try {
    return await benchAllBookings(server)
  } finally {
    await server.remove()
  }
}

async function benchAllBookings(server: PostgresServer): Promise<Row[]> {
  const inServer = postgres(server)
  const options = { rounds, milliseconds, warmUp }
  return [
    await benchBookings(embedded, options, { ...bareStore(embedded), bar: 0.72 }),
    await benchBookings(inServer, options, { ...bareStore(inServer), bar: 0.5 }),
    await benchBookings(inServer, options, { ...ownTables, bar: 0.5 }),
    await benchBookings(inServer, options, { ...sixTrips, bar: 1.5 }),
    await benchBookings(inServer, options, { ...sixTrips, bar: 1.2, kind: issueKind }),
    await benchSlowBookings(inServer, options, 0.3),
  ]
}

/** Runs the benchmarks in sequence, since each needs the whole machine. */
export async function benchService(): Promise<Row[]> {
  const server = await startPostgres({ durable: true })
  try {
    const inServer = postgres(server)
    return [
      ...(await benchAllBookings(server)),
      await benchRefusals({ rounds, requests: 20_000 }),
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
