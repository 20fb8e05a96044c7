import { afterAll, beforeAll, expect, test } from 'vitest'
import { benchBookings } from '../../bench/service/bookings.ts'
import { benchRefusals } from '../../bench/service/refusals.ts'
import { bareStore, embedded, postgres, sixTrips } from '../../bench/service/stores.ts'
import { type PostgresServer, startPostgres } from '../support/setup/postgresServer.ts'

// The short form of `npm run bench -- service`. Half of a bar is missed by a defect, and not by a busy machine: both sides of a
// ratio run in turns, and a measurement that fails is repeated up to four
// times.

const options = { rounds: 2, milliseconds: 700 }
/** A route without a store is at its speed after some seconds only: the compiler works on it until then. */
const longer = { rounds: 3, milliseconds: 2_000 }
const repeated = { retry: 4, timeout: 120_000 }
const share = 0.5

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres({ durable: true })
})
afterAll(() => server.remove())

/** The bars of docs/explanation/performance.md. */
const rows = {
  'bookings on the embedded store': {
    bar: 0.72,
    measure: () => benchBookings(embedded, options, { ...bareStore(embedded), bar: 0.72 }),
  },
  'bookings on PostgreSQL': {
    bar: 1.5,
    measure: () => benchBookings(postgres(server), options, { ...sixTrips, bar: 1.5 }),
  },
  'refusals without the store': { bar: 0.5, measure: () => benchRefusals(longer) },
}

test.each(Object.entries(rows))('%s reach half of their bar', repeated, async (_, { bar, measure }) => {
  const { ratio, what } = await measure()
  console.log(`${what}: ${ratio?.toFixed(2)}`)
  expect(ratio, what).toBeGreaterThan(bar * share)
})
