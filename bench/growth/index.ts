// The benchmark of growth. bench/main.ts imports this.
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { operations } from '#contract'
import { type Service, startService } from '#service'
import { createRunBatch } from '../../service/retention/purge.ts'
import { countChanges, countEnded, countRanges } from '../../service/shipments/index.ts'
import { openStore, type Store } from '../../service/store/index.ts'
import { hasRowLocks } from '../../service/store/locks.ts'
import type { Topology } from '../../service/topology/index.ts'
import { startPostgres } from '../../test/support/setup/postgresServer.ts'
import type { BookingStore } from '../bookings/bookings.ts'
import { topologyWith } from '../bookings/places.ts'
import { headersFor } from '../bookings/runningService.ts'
import { embedded, postgres } from '../bookings/stores.ts'
import { median, quantile } from '../pairs.ts'
import type { Row } from '../row.ts'
import { fillStore, type Volume } from './fill.ts'
import { calls, countStatements, type Place, type PrepareCall } from './operations.ts'

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '10000' },
    large: { type: 'string', default: '1000000' },
    accounts: { type: 'string', default: '100000' },
    lockers: { type: 'string', default: '20000' },
    calls: { type: 'string', default: '100' },
    store: { type: 'string', default: 'both' },
    // A part of the names of operations.
    only: { type: 'string', default: '' },
  },
  strict: false,
})
const lockers = Number(values.lockers)
const callCount = Number(values.calls)
/** Limit of the time at the large volume, divided by that at the small one. */
const bar = 1.5
/** Milliseconds. */
const startBar = 1_000

const volumes: readonly Volume[] = [
  { shipments: Number(values.small), accounts: Number(values.accounts), pickUpPoints: 10 },
  { shipments: Number(values.large), accounts: Number(values.accounts), pickUpPoints: 1_000 },
]

/** Each operation at a small and at a large volume, whose services run in this process and are called alternately. */
export async function benchGrowth(): Promise<Row[]> {
  const statements = countStatements()
  const server = await startPostgres({ durable: true })
  try {
    const rows: Row[] = []
    for (const store of [embedded, postgres(server)])
      if (values.store === 'both' || store.name.toLowerCase().startsWith(String(values.store)))
        rows.push(...(await benchStore(store, statements)))
    return rows
  } finally {
    await server.remove()
  }
}

async function benchStore(store: BookingStore, statements: { taken(): number }): Promise<Row[]> {
  const made = await Promise.all(volumes.map(() => store.make()))
  const started: Started[] = []
  for (const [at, volume] of volumes.entries()) started.push(await start(made[at]?.databaseUrl ?? '', volume))
  const [small, large] = started
  if (small === undefined || large === undefined) throw new Error('two volumes are needed')
  const rows: Row[] = [
    {
      what: `start with ${lockers} lockers and the large volume, ${store.name}`,
      unit: 'ms',
      ours: large.startTime,
      baseline: small.startTime,
      ratio: large.startTime / startBar,
      bar: `under ${startBar} ms`,
      met: large.startTime < startBar,
    },
  ]
  rows.push({
    what: `bytes of a shipment with its indexes, ${store.name}`,
    unit: 'bytes',
    ours: (large.size - small.size) / (large.place.shipments - small.place.shipments),
  })
  for (const [name, prepare] of Object.entries(calls)) {
    if (!name.includes(String(values.only))) continue
    const row = await measure(name, prepare, [small.place, large.place], statements)
    rows.push({ ...row, what: `${name}, ${store.name}${row.what}` })
  }
  for (const { service } of started) await service.stop()
  for (const place of made) await place.remove()
  return rows
}

interface Started {
  readonly service: Service
  readonly place: Place
  readonly startTime: number
  /** Bytes of the store. */
  readonly size: number
}

async function start(databaseUrl: string, volume: Volume): Promise<Started> {
  const settings = { databaseUrl, topology: topologyOf(volume) }
  await (await startService(settings)).stop()
  const store = await openStore(databaseUrl, { statementTimeout: 0 })
  await fillStore(store, volume)
  // As the purge rounds do. The fill is older than a round.
  for (const count of [countEnded, countRanges, countChanges])
    await count(createRunBatch(store, new AbortController().signal), Date.now())
  if (hasRowLocks(store)) await sql`analyze`.execute(store)
  const size = await readSize(store)
  await store.destroy()
  const startedAt = performance.now()
  const service = await startService(settings)
  const startTime = performance.now() - startedAt
  const headers = await headersFor(service)
  async function call(name: string, body: object): Promise<Record<string, unknown>> {
    const { path } = operations[name as keyof typeof operations]
    const response = await fetch(service.address + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    if (response.status !== 200 || text.includes('"success":false')) throw new Error(`${name}: ${text.slice(0, 300)}`)
    return JSON.parse(text) as Record<string, unknown>
  }
  return { service, startTime, size, place: { ...volume, call } }
}

async function readSize(store: Store): Promise<number> {
  const size = hasRowLocks(store)
    ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
    : sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
  const { rows } = await size.execute(store)
  return Number(rows[0]?.bytes)
}

async function measure(
  name: string,
  prepare: PrepareCall,
  places: readonly [Place, Place],
  statements: { taken(): number },
): Promise<Row> {
  const taken = places.map(() => ({ times: [] as number[], statements: [] as number[] }))
  const warmUp = 10
  for (let n = 0; n < warmUp + callCount; n++) {
    for (const [at, place] of places.entries()) {
      const [operation, body] = await prepare(place, n)
      statements.taken()
      const startedAt = performance.now()
      await place.call(operation, body)
      const time = performance.now() - startedAt
      if (n < warmUp) continue
      taken[at]?.times.push(time)
      taken[at]?.statements.push(statements.taken())
    }
  }
  const [small, large] = taken
  if (small === undefined || large === undefined) throw new Error(name)
  const ratio = median(large.times) / median(small.times)
  const p99 = `p99 ${quantile(large.times, 0.99).toFixed(1)}, before ${quantile(small.times, 0.99).toFixed(1)} ms`
  return {
    what: ` (${p99}; ${median(large.statements)} statements, before ${median(small.statements)})`,
    unit: 'ms',
    ours: median(large.times),
    baseline: median(small.times),
    ratio,
    bar: `at most ${bar}`,
    met: ratio <= bar,
  }
}

function topologyOf({ pickUpPoints }: Volume): Topology {
  return topologyWith(lockers / pickUpPoints, pickUpPoints)
}
