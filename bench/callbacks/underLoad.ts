import { setTimeout as pause } from 'node:timers/promises'
import { operations } from '#contract'
import { openStore, type Store } from '../../service/store/index.ts'
import type { BookingStore } from '../bookings/bookings.ts'
import type { Load, LoadResult } from '../bookings/load.ts'
import { points, topologyWith } from '../bookings/places.ts'
import { call, headersFor, startService } from '../bookings/runningService.ts'
import { startChild } from '../child.ts'
import { quantile } from '../pairs.ts'
import type { Row } from '../row.ts'
import { drained, oldestAge } from './backlog.ts'
import { startReceivers } from './throughput.ts'

/** Share of the highest rate of bookings. */
const share = 0.8
/** Milliseconds. */
const bar = 1_000
const sampleInterval = 100
const connections = 64
/** Seconds for the highest rate, and before it to warm up. */
const maximumSeconds = 5
const warmUpSeconds = 3
/** Lockers at each pick up point: more than any run books. */
const lockerCount = 2_000

/** The age of the oldest undelivered callback while bookings come in. */
export async function benchUnderLoad(store: BookingStore, seconds: number): Promise<Row> {
  const place = await store.make()
  const receivers = startReceivers()
  const load = startChild<Load, LoadResult>(new URL('../bookings/load.ts', import.meta.url))
  const service = await startService(place.databaseUrl, topologyWith(lockerCount))
  const { urls } = await receivers.run({ open: ['quick'] })
  await call(service, 'ConfigureCallback', { url: urls[0], authType: 'HMAC' })
  const { userUid } = await call(service, 'CreateAccount', {
    emailAddress: 'ada@bench.example',
    firstName: 'Ada',
    lastName: 'Lovelace',
    pickUpPointUid: points()[0],
  })
  let refused = 0
  const book = async (duration: number, perSecond?: number): Promise<number> => {
    const result = await load.run({
      origin: service.address,
      path: operations.CreateLocalShipmentAsIssue.path,
      headers: await headersFor(service),
      body: { fields: { ToUserUid: String(userUid) }, hasKeys: true },
      connections,
      milliseconds: duration * 1_000,
      maxRequests: Number.MAX_SAFE_INTEGER,
      expected: '"success":true',
      perSecond,
    })
    refused += result.unexpected
    return result.perSecond
  }
  const database = await openStore(place.databaseUrl)
  const tenants = await database.selectFrom('tenants').select('tenant_id').execute()
  const drain = () =>
    drained(
      database,
      tenants.map(({ tenant_id }) => tenant_id),
    )
  await book(warmUpSeconds)
  await drain()
  const highest = await book(maximumSeconds)
  await drain()
  const [made, ages] = await sampled(database, () => book(seconds, share * highest))
  await drain()
  await database.destroy()
  await service.stop()
  await load.stop()
  await receivers.stop()
  await place.remove()
  const oldest = Math.max(...ages)
  const rates = `${Math.round(made)} of ${Math.round(highest)} /s, p99 ${Math.round(quantile(ages, 0.99))} ms${refused > 0 ? `, ${refused} refused` : ''}`
  return {
    what: `oldest undelivered callback in ${seconds} s of bookings (${rates}), ${store.name}`,
    unit: 'ms',
    ours: oldest,
    ratio: oldest / bar,
    bar: `under ${bar} ms`,
    met: oldest < bar,
  }
}

async function sampled<Result>(store: Store, work: () => Promise<Result>): Promise<[Result, number[]]> {
  const ages: number[] = [0]
  const state = { working: true }
  const sampling = (async () => {
    while (state.working) {
      ages.push(await oldestAge(store))
      await pause(sampleInterval)
    }
  })()
  const result = await work()
  state.working = false
  await sampling
  return [result, ages]
}
