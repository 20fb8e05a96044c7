// The cost of traces and metrics, compared with the same processes without them. bench/main.ts imports this.
import { startChild } from '../child.ts'
import { runBatch } from '../flows/batch.ts'
import { inParallel } from '../flows/inParallel.ts'
import { issue } from '../flows/journeys.ts'
import { readOptions } from '../flows/options.ts'
import { startSide } from '../flows/sides.ts'
import { startWorld } from '../flows/world.ts'
import { median, pairs } from '../pairs.ts'
import type { Row } from '../row.ts'
import { stock } from '../service/kinds.ts'
import type { Load, LoadResult } from '../service/load.ts'
import { capacity } from '../service/places.ts'
import { headersFor, startService } from '../service/runningService.ts'
import { embedded } from '../service/stores.ts'

const path = '/v1/Logistics/CreateLocalShipmentAsStock'
/** Milliseconds. */
const duration = 3_000
const leastRate = 0.95
const bar = `at least ${leastRate} of those without telemetry`

type Variables = Readonly<Record<string, string>>

/** Runs the benchmarks in sequence, since each needs the whole machine. */
export async function benchTelemetry(): Promise<Row[]> {
  const options = readOptions(process.argv.slice(3))
  const collector = startChild<object, number>(new URL('./collector.ts', import.meta.url))
  const endpoint = `http://127.0.0.1:${await collector.run({})}`
  const all = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }
  const tenth = { ...all, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' }
  try {
    return [
      ...(await benchBookings('a tenth of the traces', tenth, options.rounds, true)),
      ...(await benchBookings('all traces', all, options.rounds, false)),
      ...(await benchFlows('a tenth of the traces', tenth, endpoint, options, true)),
      ...(await benchFlows('all traces', all, endpoint, options, false)),
    ]
  } finally {
    await collector.stop()
  }
}

/** Bookings per second through HTTP, and the processor time of the service for one. */
async function benchBookings(name: string, on: Variables, rounds: number, hasBar: boolean): Promise<Row[]> {
  const load = startChild<Load, LoadResult>(new URL('../service/load.ts', import.meta.url))
  const time = { on: [] as number[], off: [] as number[] }
  const bookings = (which: 'on' | 'off', variables: Variables) => async () => {
    const place = await embedded.make()
    const service = await startService(place.databaseUrl, 'many', variables)
    const send = { origin: service.origin, path, headers: await headersFor(service), body: stock, connections: 64 }
    const expected = '"success":true'
    await load.run({ ...send, milliseconds: 1_500, most: capacity / 4, expected })
    const before = service.seconds()
    const { perSecond } = await load.run({ ...send, milliseconds: duration, most: capacity / 2, expected })
    const used = (service.seconds() ?? Number.NaN) - (before ?? Number.NaN)
    time[which].push((used * 1_000) / ((perSecond * duration) / 1_000))
    await service.stop()
    await place.remove()
    return perSecond
  }
  const { ours, baseline, ratio } = await pairs(rounds, bookings('on', on), bookings('off', {}))
  await load.stop()
  const [ourTime, baseTime] = [median(time.on), median(time.off)]
  return [
    {
      what: `bookings through HTTP, ${name}`,
      unit: '/s',
      ours: median(ours),
      baseline: median(baseline),
      ratio,
      ...(hasBar && { bar, met: ratio >= leastRate }),
    },
    {
      what: `processor time of the service for a booking, ${name}`,
      unit: 'ms',
      ours: ourTime,
      baseline: baseTime,
      ratio: ourTime / baseTime,
    },
  ]
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
