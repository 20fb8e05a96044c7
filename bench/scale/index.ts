// The benchmark of several processes on one store and one Temporal. bench/main.ts imports this.
import { parseArgs } from 'node:util'
import { type PostgresServer, startPostgres } from '../../test/support/setup/postgresServer.ts'
import { startChild } from '../child.ts'
import { runBatch } from '../flows/batch.ts'
import { issue } from '../flows/journeys.ts'
import { startSide } from '../flows/sides.ts'
import { startWorld } from '../flows/world.ts'
import { median } from '../pairs.ts'
import { readTreeSeconds } from '../processors.ts'
import type { Row } from '../row.ts'
import { issueKind } from '../service/kinds.ts'
import type { Load, LoadResult } from '../service/load.ts'
import { headersFor, type RunningService, startService } from '../service/runningService.ts'
import { postgres } from '../service/stores.ts'

const options = readScaleOptions(process.argv.slice(3))
const serviceCounts = [1, 2, 4]
const workerCounts = [1, 2]
const connections = 64

interface ScaleOptions {
  /** Measurements of each number of processes, alternately. */
  readonly rounds: number
  readonly milliseconds: number
  /** Flows of a measurement. */
  readonly flows: number
}

/** Bookings with one, two and four service processes on one PostgreSQL, then flows with one and two workers on one Temporal. */
export async function benchScale(): Promise<Row[]> {
  const server = await startPostgres({ durable: true })
  try {
    return [...(await benchServices(server)), ...(await benchWorkers())]
  } finally {
    await server.remove()
  }
}

/** Bookings per second, and per processor second of the service and of PostgreSQL. */
interface Bookings {
  readonly perSecond: number
  readonly perServiceSecond: number
  readonly perStoreSecond: number
}

async function benchServices(server: PostgresServer): Promise<Row[]> {
  const taken = serviceCounts.map((): Bookings[] => [])
  for (let round = 0; round < options.rounds; round++)
    for (const [at, count] of serviceCounts.entries()) taken[at]?.push(await book(server, count))
  return serviceCounts.flatMap((count, at) => {
    const of = (name: keyof Bookings) => (taken[at] ?? []).map(bookings => bookings[name])
    const alone = (name: keyof Bookings) => median((taken[0] ?? []).map(bookings => bookings[name]))
    return (['perSecond', 'perServiceSecond', 'perStoreSecond'] as const).map(name => ({
      what: `${bookingNames[name]}, ${count} service processes on one PostgreSQL`,
      unit: '/s',
      ours: median(of(name)),
      baseline: alone(name),
      ratio: median(of(name)) / alone(name),
    }))
  })
}

const bookingNames = {
  perSecond: 'issues booked',
  perServiceSecond: 'issues booked per processor second of the services',
  perStoreSecond: 'issues booked per processor second of PostgreSQL',
} as const

async function book(server: PostgresServer, count: number): Promise<Bookings> {
  const place = await postgres(server).make()
  const services: RunningService[] = []
  for (let n = 0; n < count; n++) services.push(await startService(place.databaseUrl))
  const [first] = services
  if (first === undefined) throw new Error('no service')
  const { bodies, stop } = await issueKind.prepare(first)
  const loads = services.map(() => startChild<Load, LoadResult>(new URL('../service/load.ts', import.meta.url)))
  const run = async (milliseconds: number) => {
    const results = services.map(async ({ origin }, at) => {
      const send = { path: issueKind.path, headers: await headersFor({ origin }), body: bodies, milliseconds }
      const load = { ...send, origin, connections: connections / count, most: 20_000, expected: '"success":true' }
      return loads[at]?.run(load)
    })
    return (await Promise.all(results)).reduce((sum, result) => sum + (result?.perSecond ?? 0), 0)
  }
  const secondsOf = () => services.reduce((sum, service) => sum + (service.seconds() ?? Number.NaN), 0)
  // Warms up: compiled code, connections and caches.
  await run(1_000)
  const before = { services: secondsOf(), store: readTreeSeconds(server.folder) }
  const startedAt = performance.now()
  const perSecond = await run(options.milliseconds)
  const booked = (perSecond * (performance.now() - startedAt)) / 1_000
  const used = { services: secondsOf() - before.services, store: readTreeSeconds(server.folder) - before.store }
  await Promise.all(loads.map(load => load.stop()))
  await Promise.all(services.map(service => service.stop()))
  await stop()
  await place.remove()
  return { perSecond, perServiceSecond: booked / used.services, perStoreSecond: booked / used.store }
}

/** Issues per second with all their processes, and per processor second of the workers. */
async function benchWorkers(): Promise<Row[]> {
  const world = await startWorld()
  try {
    const rows: Row[] = []
    let alone = { perSecond: Number.NaN, perWorkerSecond: Number.NaN }
    for (const count of workerCounts) {
      const first = await startSide(world, 'ours')
      const further = await Promise.all(
        Array.from({ length: count - 1 }, () => startSide(world, 'ours', first.taskQueue)),
      )
      const seconds = async () => {
        const used = await Promise.all([first, ...further].map(({ worker }) => worker.run({ measure: 'processors' })))
        return used.reduce((sum, one) => sum + one.seconds, 0)
      }
      const requests = await Promise.all(Array.from({ length: options.flows }, () => issue.prepare(world)))
      await runBatch(world, first, issue, requests.slice(0, 20), 20)
      const before = await seconds()
      const { perSecond } = await runBatch(world, first, issue, requests, 50)
      const perWorkerSecond = options.flows / ((await seconds()) - before)
      if (count === 1) alone = { perSecond, perWorkerSecond }
      await Promise.all([first, ...further].map(({ worker }) => worker.stop()))
      const what = `${count} workers on one Temporal`
      rows.push(
        {
          what: `issues from start to end, ${what}`,
          unit: '/s',
          ours: perSecond,
          baseline: alone.perSecond,
          ratio: perSecond / alone.perSecond,
        },
        {
          what: `issues per processor second of the workers, ${what}`,
          unit: '/s',
          ours: perWorkerSecond,
          baseline: alone.perWorkerSecond,
          ratio: perWorkerSecond / alone.perWorkerSecond,
        },
      )
    }
    return rows
  } finally {
    await world.stop()
  }
}

/** Reads `npm run bench -- scale --rounds 1 --flows 60`. */
function readScaleOptions(args: readonly string[]): ScaleOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '3' },
      milliseconds: { type: 'string', default: '4000' },
      flows: { type: 'string', default: '150' },
    },
    strict: false,
  })
  const number = (value: unknown) => Math.max(1, Math.round(Number(value)))
  return { rounds: number(values.rounds), milliseconds: number(values.milliseconds), flows: number(values.flows) }
}
