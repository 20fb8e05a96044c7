import { startChild } from '../child.ts'
import { median, pairs } from '../pairs.ts'
import type { Row } from '../row.ts'
import type { BareJob } from './bareSqlite.ts'
import { type BookingKind, stockKind } from './kinds.ts'
import type { Load, LoadResult } from './load.ts'
import { capacity } from './places.ts'
import { headersFor, type ServiceOptions, startService } from './runningService.ts'

const connections = 64

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
  /**
   * Milliseconds of bookings that are not measured. They end earlier if they have booked half of the lockers. V8 compiles
   * code during the first 10,000, which takes a quarter of their processor time.
   */
  readonly warmUp: number
}

/** A baseline without the service, and the ratio that bookings through HTTP must reach. */
export interface Baseline {
  readonly name: string
  readonly bare: URL
  readonly bar: number
  readonly kind?: BookingKind
}

/** Bookings per second through HTTP, compared with bookings on the store alone. */
export async function benchBookingsThroughHttp(
  store: BookingStore,
  { rounds, milliseconds, warmUp }: BookingOptions,
  { name, bare: module, bar, kind = stockKind }: Baseline,
): Promise<Row> {
  const load = startChild<Load, LoadResult>(new URL('./load.ts', import.meta.url))
  const bare = startChild<BareJob, number>(module)
  const through = async () => (await bookThrough(store, load, { kind, milliseconds, warmUp })).perSecond
  async function alone(): Promise<number> {
    const place = await store.make()
    const perSecond = await bare.run({ store: place.bare, milliseconds })
    await place.remove()
    return perSecond
  }
  // One process serves all rounds of the baseline, and an unmeasured round warms it up.
  if (rounds > 1) await alone()
  const { ours, baseline, ratio } = await pairs(rounds, through, alone)
  await Promise.all([load.stop(), bare.stop()])
  return {
    what: `bookings through HTTP (${kind.name}), ${store.name}, against ${name}`,
    unit: '/s',
    ours: median(ours),
    baseline: median(baseline),
    ratio,
    bar: `at least ${bar}`,
    met: ratio >= bar,
  }
}

/**
 * The slowest of a hundred bookings by 64 callers, compared with those of a service without batches, or with those of
 * the service of another clone: the folder of an earlier commit.
 */
export async function benchSlowBookings(
  store: BookingStore,
  { rounds, milliseconds, warmUp }: BookingOptions,
  { bar, earlier }: { readonly bar: number; readonly earlier: string | undefined },
): Promise<Row> {
  const load = startChild<Load, LoadResult>(new URL('./load.ts', import.meta.url))
  const measure = (service: ServiceOptions) => async () =>
    (await bookThrough(store, load, { kind: stockKind, milliseconds, warmUp, service })).p99
  const before = earlier === undefined ? { withoutBatches: true } : { clone: earlier }
  const { ours, baseline, ratio } = await pairs(rounds, measure({}), measure(before))
  await load.stop()
  return {
    what: `p99 of a booking, ${connections} callers, ${store.name}, against ${earlier ?? 'transactions of their own'}`,
    unit: 'ms',
    ours: median(ours),
    baseline: median(baseline),
    ratio,
    bar: `at most ${bar}`,
    met: ratio <= bar,
  }
}

interface Through extends Omit<BookingOptions, 'rounds'> {
  readonly kind: BookingKind
  readonly service?: ServiceOptions
}

async function bookThrough(
  store: BookingStore,
  load: { run(job: Load): Promise<LoadResult> },
  { kind, milliseconds, warmUp, service: options }: Through,
): Promise<LoadResult> {
  const place = await store.make()
  const service = await startService(place.databaseUrl, 'many', options)
  const { bodies, stop } = await kind.prepare(service)
  const headers = await headersFor(service)
  const send = { origin: service.address, path: kind.path, headers, body: bodies, connections }
  const expected = '"success":true'
  await load.run({ ...send, milliseconds: warmUp, maxRequests: capacity / 2, expected })
  const result = await load.run({ ...send, milliseconds, maxRequests: capacity / 2, expected })
  await service.stop()
  await stop()
  await place.remove()
  if (result.unexpected > 0) throw new Error(`${result.unexpected} bookings were refused`)
  return result
}
