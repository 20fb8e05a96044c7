// Bookings, and what a service does around them. bench/main.ts imports this.
import { parseArgs } from 'node:util'
import { startPostgres } from '../../test/support/setup/postgresServer.ts'
import type { Row } from '../row.ts'
import { benchBookingsThroughHttp, benchSlowBookings } from './bookings.ts'
import { issueKind } from './kinds.ts'
import { benchColdStart, benchFirstCallback } from './latencies.ts'
import { benchRefusals } from './refusals.ts'
import { bareStore, embedded, ownTables, postgres, sixTrips, withCallbacks } from './stores.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    earlier: { type: 'string' },
  },
  strict: false,
})
const rounds = Number(values.rounds)
/** The clone of an earlier commit, for the p99 of bookings. */
const earlier = values.earlier === undefined ? undefined : String(values.earlier)
const milliseconds = 3_000
const warmUp = 6_000
const bookings = 500

type Benches = Readonly<Record<string, () => Promise<Row | readonly Row[]>>>

/** Runs the benchmarks in sequence, since each needs the whole machine. A part is `--only refusals`, for example. */
export async function benchBookings(): Promise<Row[]> {
  const server = await startPostgres({ durable: true })
  const inServer = postgres(server)
  const options = { rounds, milliseconds, warmUp }
  const benches: Benches = {
    embedded: () => benchBookingsThroughHttp(embedded, options, { ...bareStore(embedded), bar: 0.72 }),
    bare: () => benchBookingsThroughHttp(inServer, options, { ...bareStore(inServer), bar: 0.5 }),
    one: () => benchBookingsThroughHttp(inServer, options, { ...ownTables, bar: 0.5 }),
    stock: () => benchBookingsThroughHttp(inServer, options, { ...sixTrips, bar: 1.5 }),
    issue: () => benchBookingsThroughHttp(inServer, options, { ...withCallbacks, bar: 1.2, kind: issueKind }),
    p99: () => benchSlowBookings(inServer, options, { bar: 0.3, earlier }),
    refusals: () => benchRefusals({ rounds, requests: 20_000 }),
    callbacks: async () => [await benchFirstCallback(embedded, bookings), await benchFirstCallback(inServer, bookings)],
    starts: async () => [await benchColdStart(embedded, rounds), await benchColdStart(inServer, rounds)],
  }
  try {
    return await runParts(benches, values.only)
  } finally {
    await server.remove()
  }
}

/** Runs the benchmark that `--only` names, or all. @throws Error if there is no such benchmark */
async function runParts(benches: Benches, only: unknown): Promise<Row[]> {
  const names = Object.keys(benches)
  if (only !== '' && !names.includes(String(only))) throw new Error(`--only must be one of ${names.join(', ')}.`)
  const rows: Row[] = []
  for (const [name, bench] of Object.entries(benches))
    if (only === '' || only === name) rows.push(...[await bench()].flat())
  return rows
}
