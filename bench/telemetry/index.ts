// The cost of traces and metrics, compared with the same processes without them. bench/main.ts imports this.
import { defaultTracesPerSecond } from '../../platform/telemetry/variables.ts'
import { type Child, startChild } from '../child.ts'
import { inParallel, runBatch } from '../flows/batch.ts'
import { issue } from '../flows/journeys.ts'
import { readOptions, takeOnly } from '../flows/options.ts'
import { startSide } from '../flows/sides.ts'
import { startWorld } from '../flows/world.ts'
import { median, pairs } from '../pairs.ts'
import type { Row } from '../row.ts'
import { stock } from '../service/kinds.ts'
import type { Load, LoadResult } from '../service/load.ts'
import { topologyWith } from '../service/places.ts'
import { headersFor, startService } from '../service/runningService.ts'
import { embedded } from '../service/stores.ts'

const path = '/v1/Logistics/CreateLocalShipmentAsStock'
/** Ten lockers for each booking of a smaller benchmark, so that one service can run longer. */
const places = topologyWith(1_000)
/** Bookings before the first turn, first with traces and then as measured. A service in production has run for longer. */
const warmBookings = [15_000, 15_000] as const
/** A recorded trace, which the service continues. V8 compiles the code of recorded spans after a few thousand of them. */
const recorded = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
/** Turns of each service, and the bookings of one. */
const turns = 40
const turnSize = 600
const leastRate = 0.95
const bar = `at least ${leastRate} of those without telemetry`

/**
 * Traces that a service may begin per second: half of the default, because it works in half of the time only and would
 * otherwise begin the traces of a whole second in half of one.
 */
const tracesPerSecond = String(defaultTracesPerSecond / 2)

type Variables = Readonly<Record<string, string>>

/** Runs the benchmarks in sequence, since each needs the whole machine. `--only bookings` or `--only flows` runs a part. */
export async function benchTelemetry(): Promise<Row[]> {
  const args = process.argv.slice(3)
  const wanted = takeOnly(args, ['bookings', 'flows'])
  const options = readOptions(args)
  const collector = startChild<object, number>(new URL('./collector.ts', import.meta.url))
  const endpoint = `http://127.0.0.1:${await collector.run({})}`
  const on = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }
  const limited = { ...on, LOCKERFLOW_TRACES_PER_SECOND: tracesPerSecond }
  const all = { ...on, OTEL_TRACES_SAMPLER: 'parentbased_always_on' }
  const tenth = { ...on, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' }
  try {
    const bookings = async () => [
      ...(await benchBookings('telemetry switched on', limited, options.rounds, true)),
      ...(await benchBookings('a tenth of the traces', tenth, options.rounds, true)),
      ...(await benchBookings('all traces', all, options.rounds, false)),
    ]
    const flows = async () => [
      ...(await benchFlows('telemetry switched on', on, endpoint, options, true)),
      ...(await benchFlows('a tenth of the traces', tenth, endpoint, options, true)),
      ...(await benchFlows('all traces', all, endpoint, options, false)),
    ]
    return [
      ...(wanted.includes('bookings') ? await bookings() : []),
      ...(wanted.includes('flows') ? await flows() : []),
    ]
  } finally {
    await collector.stop()
  }
}

/**
 * Bookings per second through HTTP, and the processor time of the service for one. A service with telemetry and one without
 * run side by side and take turns of half a second or less, since a machine changes its speed within seconds. Each round has
 * two new services: processes with the same settings differ by a few percent.
 */
async function benchBookings(name: string, on: Variables, rounds: number, hasBar: boolean): Promise<Row[]> {
  const load = startChild<Load, LoadResult>(new URL('../service/load.ts', import.meta.url))
  const sides = { ours: [] as Side[], baseline: [] as Side[] }
  for (let round = 0; round < rounds; round++) {
    // The service that starts second books one to two percent more.
    const oursFirst = round % 2 === 0
    const first = await startBookings(load, oursFirst ? on : {})
    const second = await startBookings(load, oursFirst ? {} : on)
    const [ours, baseline] = oursFirst ? [first, second] : [second, first]
    await pairs(turns, ours.book, baseline.book)
    sides.ours.push(await ours.stop())
    sides.baseline.push(await baseline.stop())
  }
  await load.stop()
  const [ours, baseline] = [sides.ours, sides.baseline].map(one => ({
    perSecond: median(one.flatMap(({ perSecond }) => perSecond)),
    milliseconds: median(one.map(({ milliseconds }) => milliseconds)),
  })) as [Figures, Figures]
  const ratio = ours.perSecond / baseline.perSecond
  return [
    {
      what: `bookings through HTTP, ${name}`,
      unit: '/s',
      ours: ours.perSecond,
      baseline: baseline.perSecond,
      ratio,
      ...(hasBar && { bar, met: ratio >= leastRate }),
    },
    {
      what: `processor time of the service for a booking, ${name}`,
      unit: 'ms',
      ours: ours.milliseconds,
      baseline: baseline.milliseconds,
      ratio: ours.milliseconds / baseline.milliseconds,
    },
  ]
}

interface Figures {
  readonly perSecond: number
  /** Processor time of a booking. */
  readonly milliseconds: number
}

/** The figures of one service. */
interface Side {
  readonly perSecond: readonly number[]
  readonly milliseconds: number
}

/** Starts a service and warms it up. */
async function startBookings(load: Child<Load, LoadResult>, variables: Variables) {
  const place = await embedded.make()
  const service = await startService(place.databaseUrl, places, variables)
  const ownHeaders = await headersFor(service)
  const send = { origin: service.origin, path, body: stock, connections: 64, expected: '"success":true' }
  const book = (most: number, headers = {}) =>
    load.run({ ...send, headers: { ...ownHeaders, ...headers }, milliseconds: 60_000, most })
  await book(warmBookings[0], recorded)
  await book(warmBookings[1])
  const perSecond: number[] = []
  let seconds = 0
  return {
    async book() {
      const before = service.seconds() ?? Number.NaN
      const result = await book(turnSize)
      seconds += (service.seconds() ?? Number.NaN) - before
      if (result.unexpected > 0) throw new Error(`${result.unexpected} bookings were refused`)
      perSecond.push(result.perSecond)
      return result.perSecond
    },
    async stop(): Promise<Side> {
      await service.stop()
      await place.remove()
      return { perSecond, milliseconds: (seconds * 1_000) / (perSecond.length * turnSize) }
    },
  }
}

/**
 * Flows per second, and the processor time of all processes for one. Both sides share service and gateway, which record
 * what a traced worker began.
 */
async function benchFlows(
  name: string,
  on: Variables,
  endpoint: string,
  { rounds, flows, concurrency }: ReturnType<typeof readOptions>,
  hasBar: boolean,
): Promise<Row[]> {
  const follow = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER: 'parentbased_always_off' }
  const world = await startWorld(follow)
  const sides = { on: await startSide(world, 'ours', undefined, on), off: await startSide(world, 'ours') }
  try {
    const warm = Math.ceil(flows / 2)
    const requests = await inParallel(2 * (warm + rounds * flows), 20, () => issue.prepare(world))
    const time = { on: [] as number[], off: [] as number[] }
    const batch = (which: 'on' | 'off', size: number) => async () => {
      const { perSecond, all } = await runBatch(world, sides[which], issue, requests.splice(0, size), concurrency)
      time[which].push(all ?? Number.NaN)
      return perSecond
    }
    await pairs(1, batch('on', warm), batch('off', warm))
    time.on.length = time.off.length = 0
    const { ours, baseline, ratio } = await pairs(rounds, batch('on', flows), batch('off', flows))
    const [ourTime, baseTime] = [median(time.on), median(time.off)]
    return [
      {
        what: `issues, ${concurrency} at once, ${name}`,
        unit: '/s',
        ours: median(ours),
        baseline: median(baseline),
        ratio,
        ...(hasBar && { bar, met: ratio >= leastRate }),
      },
      {
        what: `processor time of all processes for an issue, ${name}`,
        unit: 'ms',
        ours: ourTime,
        baseline: baseTime,
        ratio: ourTime / baseTime,
      },
    ]
  } finally {
    await Promise.all([sides.on.worker.stop(), sides.off.worker.stop()])
    await world.stop()
  }
}
