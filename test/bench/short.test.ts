import { afterAll, beforeAll, expect, test } from 'vitest'
import { benchBookingsThroughHttp } from '../../bench/bookings/bookings.ts'
import { issueKind } from '../../bench/bookings/kinds.ts'
import { benchRefusals } from '../../bench/bookings/refusals.ts'
import { bareStore, embedded, postgres, sixTrips, withCallbacks } from '../../bench/bookings/stores.ts'
import { deliver, oneReceiver } from '../../bench/callbacks/throughput.ts'
import { type PostgresServer, startPostgres } from '../support/setup/postgresServer.ts'

// The short form of `npm run bench -- bookings` and `-- callbacks`. Half of a bar is missed by a defect, and not by a
// busy machine: both sides of a ratio run in turns, refusals and callbacks count processor time, and a measurement that fails is
// repeated up to four times.

const options = { rounds: 1, milliseconds: 700, warmUp: 700 }
const repeated = { retry: 4, timeout: 120_000 }
const share = 0.5
const messages = 2_000

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres({ durable: true })
})
afterAll(() => server.remove())

/** The bars of docs/explanation/performance.md. */
const rows = {
  'bookings on the embedded store': {
    bar: 0.72,
    measure: () => benchBookingsThroughHttp(embedded, options, { ...bareStore(embedded), bar: 0.72 }),
  },
  'bookings on PostgreSQL': {
    bar: 1.5,
    measure: () => benchBookingsThroughHttp(postgres(server), options, { ...sixTrips, bar: 1.5 }),
  },
  'issues with key, user and receiver on PostgreSQL': {
    bar: 1.2,
    measure: () => benchBookingsThroughHttp(postgres(server), options, { ...withCallbacks, bar: 1.2, kind: issueKind }),
  },
  'refusals without the store': { bar: 0.5, measure: () => benchRefusals({ rounds: 1, requests: 5_000 }) },
}

test.each(Object.entries(rows))('%s reach half of their bar', repeated, async (_, { bar, measure }) => {
  const { ratio, what } = await measure()
  console.log(`${what}: ${ratio?.toFixed(2)}`)
  expect(ratio, what).toBeGreaterThan(bar * share)
})

test.each([
  ['the embedded store', () => embedded],
  ['PostgreSQL', () => postgres(server)],
])('deliveries on %s reach half of their bar', repeated, async (_, toStore) => {
  const { bar, manners, what } = oneReceiver
  const { perSecond, perProcessorSecond = perSecond } = await deliver(toStore(), manners, messages)
  console.log(`deliveries ${what}, per second of the processor: ${Math.round(perProcessorSecond)}`)
  expect(perProcessorSecond).toBeGreaterThan(bar * share)
})
