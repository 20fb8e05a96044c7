// The benchmark of a purge beside requests. bench/main.ts imports this.
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { operations } from '#contract'
import { startService } from '#service'
import { openStore } from '../../service/store/index.ts'
import { hasRowLocks } from '../../service/store/locks.ts'
import { startPostgres } from '../../test/support/setup/postgresServer.ts'
import { startChild } from '../child.ts'
import { fillStore } from '../growth/fill.ts'
import { quantile } from '../pairs.ts'
import type { Row } from '../row.ts'
import type { BookingStore } from '../service/bookings.ts'
import { bookingAt, credentials, topology } from '../service/places.ts'
import { headersFor } from '../service/runningService.ts'
import { embedded, postgres } from '../service/stores.ts'
import type { PurgeJob, PurgeResult } from './service.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    store: { type: 'string', default: 'both' },
    /** Seconds of the callers alone. The longest of more requests is longer. */
    alone: { type: 'string', default: '60' },
  },
  strict: false,
})
const shipments = Number(values.rows)
const quiet = Number(values.alone) * 1_000
const days = 86_400_000
/** Ended shipments whose case has an active one stay. */
const shipmentsOfCase = 10
/** Milliseconds. */
const [bar, pollInterval] = [50, 250]
/** As in docker-compose.yml. */
const settings = ['min_wal_size=2GB', 'max_wal_size=4GB', 'backend_flush_after=128kB']

/** Purges old shipments while one caller books and another one reads, and compares with the same callers alone. */
export async function benchPurge(): Promise<Row[]> {
  const server = await startPostgres({ durable: true, settings })
  try {
    const rows: Row[] = []
    for (const store of [embedded, postgres(server)])
      if (values.store === 'both' || store.name.toLowerCase().startsWith(String(values.store)))
        rows.push(...(await benchStore(store)))
    return rows
  } finally {
    await server.remove()
  }
}

async function benchStore(store: BookingStore): Promise<Row[]> {
  const { databaseUrl, remove } = await store.make()
  await (await startService({ databaseUrl, topology })).stop()
  const filling = await openStore(databaseUrl, { statementTimeout: 0 })
  await fillStore(filling, { shipments, accounts: 1_000, pickUpPoints: topology.pickUpPoints.length }, 30 * days)
  // The system would write the filled pages half a minute later, and the commits of the callers would wait behind them.
  await (hasRowLocks(filling) ? sql`checkpoint` : sql`pragma wal_checkpoint(truncate)`).execute(filling)
  const ended = filling.selectFrom('shipments').where('state_code', '=', 'Completed')
  const before = (await ended.select(eb => eb.fn.countAll().as('n')).executeTakeFirstOrThrow()).n
  // A count would take processor time from the service. PostgreSQL searches from the newest, which are purged last: from the
  // oldest it would read deleted rows. The embedded store finds the oldest at once.
  const order = hasRowLocks(filling) ? 'desc' : 'asc'
  const isPurging = async () =>
    (await ended.select('seq').orderBy('seq', order).limit(1).offset(shipmentsOfCase).execute()).length > 0
  const alone = await measure({ databaseUrl, purgeInterval: 1e9 }, () => pause(quiet))
  let seconds = 0
  const purging = await measure({ databaseUrl, purgeInterval: 100 }, async () => {
    const startedAt = performance.now()
    while (await isPurging()) await pause(pollInterval)
    seconds = (performance.now() - startedAt) / 1_000
  })
  await filling.destroy()
  await remove()
  const what = `beside a purge of ${before} shipments in ${seconds.toFixed(0)} s, ${store.name}`
  return (['read', 'booking', 'delay'] as const).map(name => ({
    what: `${names[name]} ${what} (p99 ${p99(purging[name])}, alone ${p99(alone[name])} ms)`,
    unit: 'ms',
    ours: Math.max(...purging[name]),
    baseline: Math.max(...alone[name]),
    ratio: Math.max(...purging[name]) / bar,
    bar: `at most ${bar} ms`,
    met: Math.max(...purging[name]) <= bar,
  }))
}

const names = {
  read: 'the longest read',
  booking: 'the longest booking',
  delay: 'the longest time that the service did not respond',
} as const

const p99 = (times: readonly number[]) => quantile(times, 0.99).toFixed(1)

interface Times {
  /** Milliseconds of each request. */
  readonly read: number[]
  readonly booking: number[]
  /** Milliseconds that the event loop of the service was blocked. */
  readonly delay: number[]
}

async function measure(job: PurgeJob, work: () => Promise<void>): Promise<Times> {
  const child = startChild<PurgeJob, PurgeResult>(new URL('./service.ts', import.meta.url))
  const started = await child.run(job)
  const address = 'address' in started ? started.address : ''
  const headers = await headersFor({ origin: address }, credentials)
  let isWorking = true
  async function call(name: string, body: object): Promise<Record<string, unknown>> {
    const { path } = operations[name as keyof typeof operations]
    const response = await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    if (!text.includes('"success":true')) throw new Error(`${name}: ${text.slice(0, 300)}`)
    return JSON.parse(text) as Record<string, unknown>
  }
  async function repeat(times: number[], request: (n: number) => Promise<number>): Promise<void> {
    for (let n = 0; isWorking; n++) {
      const time = await request(n)
      // The first requests compile the code.
      if (n >= 20) times.push(time)
      await pause(10)
    }
  }
  async function timed(name: string, body: object): Promise<{ time: number; response: Record<string, unknown> }> {
    const startedAt = performance.now()
    const response = await call(name, body)
    return { time: performance.now() - startedAt, response }
  }
  const times: Times = { read: [], booking: [], delay: [] }
  const callers = Promise.all([
    repeat(times.read, async () => (await timed('GetAccount', { userUid: 'user-1' })).time),
    repeat(times.booking, async n => {
      const { time, response } = await timed('CreateLocalShipmentAsStock', bookingAt(n))
      // The locker is free again for the next one.
      await call('CancelShipment', { shipmentUid: (response.shipmentUids as string[])[0] })
      return time
    }),
  ])
  await work()
  const measured = await child.run({ delay: true })
  if ('delay' in measured) times.delay.push(measured.delay)
  isWorking = false
  await callers
  await child.stop()
  return times
}
