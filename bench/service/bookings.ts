import { startChild } from '../child.ts'
import { median, pairs } from '../pairs.ts'
import type { Row } from '../row.ts'
import type { BareJob } from './bareSqlite.ts'
import type { Load, LoadResult } from './load.ts'
import { capacity } from './places.ts'
import { headersFor, startService } from './runningService.ts'

const path = '/v1/Logistics/CreateLocalShipmentAsStock'
const bar = 0.5

export interface BookingStore {
  readonly name: string
  /** The module that books with statements on the store, without the service. */
  readonly bare: URL
  /** Creates two empty stores: one for the bare module and one for the service. */
  make(): Promise<{ readonly bare: string; readonly databaseUrl: string; remove(): Promise<void> }>
}

export interface BookingOptions {
  readonly rounds: number
  readonly milliseconds: number
  /** Another baseline instead of the bare store, without a bar. */
  readonly against?: { readonly name: string; readonly bare: URL }
}

/** Bookings per second through HTTP, compared with bookings on the store alone. */
export async function benchBookings(
  store: BookingStore,
  { rounds, milliseconds, against }: BookingOptions,
): Promise<Row> {
  const load = startChild<Load, LoadResult>(new URL('./load.ts', import.meta.url))
  const bare = startChild<BareJob, number>(against?.bare ?? store.bare)
  async function through(): Promise<number> {
    const place = await store.make()
    const service = await startService(place.databaseUrl)
    const send = { origin: service.origin, path, headers: await headersFor(service), body: 'booking', connections: 64 }
    // Warms up: compiled code, connections and caches.
    await load.run({ ...send, milliseconds: 1_500, most: capacity / 4, expected: '"success":true' })
    const { perSecond, unexpected } = await load.run({
      ...send,
      milliseconds,
      most: capacity / 2,
      expected: '"success":true',
    })
    await service.stop()
    await place.remove()
    if (unexpected > 0) throw new Error(`${unexpected} bookings were refused`)
    return perSecond
  }
  async function alone(): Promise<number> {
    const place = await store.make()
    const perSecond = await bare.run({ store: place.bare, milliseconds })
    await place.remove()
    return perSecond
  }
  const { ours, baseline, ratio } = await pairs(rounds, through, alone)
  await Promise.all([load.stop(), bare.stop()])
  return {
    what: `bookings through HTTP, ${store.name}${against ? `, against ${against.name}` : ''}`,
    unit: '/s',
    ours: median(ours),
    baseline: median(baseline),
    ratio,
    ...(!against && { bar: `at least ${bar} of the bare store`, met: ratio >= bar }),
  }
}
