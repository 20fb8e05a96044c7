import { median, pairs, quantile } from '../pairs.ts'
import type { Row } from '../row.ts'
import { type Batch, inParallel, runBatch } from './batch.ts'
import type { Journey } from './journeys.ts'
import type { Options } from './options.ts'
import type { Compared, Side } from './sides.ts'
import type { World } from './world.ts'

const maxWait = 1.25

/** Figures of another project for a flow of three steps on such a server: flows per second, milliseconds. */
export const published = { perSecond: 39, median: 119, p95: 283 }

/** The limits of a flow. */
export interface JourneyBars {
  /** The least rate, divided by that of the hand-written workflow. */
  readonly minRate: number
  /** The limit of events in a history. Without it, their number is for comparison only. */
  readonly events?: { readonly bar: string; readonly met: (ours: number, baseline: number) => boolean }
  readonly published?: typeof published
}

type Batches = Readonly<Record<Compared, readonly Batch[]>>

/** Measures a flow under load and one at a time, alternating with the hand-written workflow. */
export async function benchJourney(
  world: World,
  sides: Readonly<Record<Compared, Side>>,
  journey: Journey,
  bars: JourneyBars,
  options: Options,
): Promise<Row[]> {
  const { rounds, flows, concurrency, alone } = options
  const most = Math.ceil(flows / 2)
  const count = 2 * (most + rounds * (flows + alone))
  // Prepared before the measurement, because the preconditions are not part of the flow.
  const requests = await inParallel(count, 20, () => journey.prepare(world))
  const batches = async (times: number, size: number, atOnce: number): Promise<Batches> => {
    const measured: Record<Compared, Batch[]> = { ours: [], baseline: [] }
    const batch = (name: Compared) => async () => {
      const result = await runBatch(world, sides[name], journey, requests.splice(0, size), atOnce)
      measured[name].push(result)
      return result.perSecond
    }
    await pairs(times, batch('ours'), batch('baseline'))
    return measured
  }
  // Warms up: compiled code, connections and caches.
  await batches(1, most, concurrency)
  const loaded = await batches(rounds, flows, concurrency)
  const single = await batches(rounds, alone, 1)
  return [...loadedRows(journey, loaded, concurrency, bars), ...singleRows(journey, single, bars)]
}

function loadedRows(
  { name }: Journey,
  batches: Batches,
  concurrency: number,
  { minRate, published }: JourneyBars,
): Row[] {
  const rate = compare(batches, each => median(each.map(({ perSecond }) => perSecond)))
  const all = compare(batches, each => median(each.map(batch => batch.all ?? Number.NaN)))
  return [
    {
      what: `${name}: flows through, ${concurrency} at once`,
      unit: '/s',
      ...rate,
      bar: `at least ${minRate} of the hand-written one${published ? `, and ${published.perSecond} /s` : ''}`,
      met: rate.ratio >= minRate && rate.ours >= (published?.perSecond ?? 0),
    },
    {
      what: `${name}: processor time of the worker for a flow`,
      unit: 'ms',
      ...compare(batches, each => median(each.map(({ worker }) => worker))),
    },
    ...(Number.isNaN(all.ours)
      ? []
      : [
          {
            what: `${name}: processor time of Temporal's server and its store for a flow`,
            unit: 'ms',
            ...compare(batches, each => median(each.map(({ temporal }) => temporal))),
          },
          {
            what: `${name}: processor time of all processes for a flow`,
            unit: 'ms',
            ...all,
            bar: `at least ${minRate} of the flows for the same time`,
            met: 1 / all.ratio >= minRate,
          },
        ]),
    {
      what: `${name}: wait for the booking, ${concurrency} at once, median`,
      unit: 'ms',
      ...compare(batches, each => median(allWaits(each))),
    },
    {
      what: `${name}: wait for the booking, ${concurrency} at once, p95`,
      unit: 'ms',
      ...compare(batches, each => quantile(allWaits(each), 0.95)),
    },
  ]
}

function singleRows({ name }: Journey, batches: Batches, { events: eventBar, published }: JourneyBars): Row[] {
  const wait = compare(batches, each => median(allWaits(each)))
  const middle = compare(batches, each => median(allLengths(each)))
  const late = compare(batches, each => quantile(allLengths(each), 0.95))
  const events = compare(batches, each => Math.max(...each.flatMap(batch => batch.events)))
  return [
    {
      what: `${name}: wait for the booking, one at a time, median`,
      unit: 'ms',
      ...wait,
      bar: `at most ${maxWait} of the hand-written one`,
      met: wait.ratio <= maxWait,
    },
    {
      what: `${name}: wait for the booking, one at a time, p95`,
      unit: 'ms',
      ...compare(batches, each => quantile(allWaits(each), 0.95)),
    },
    {
      what: `${name}: from start to end, one at a time, median`,
      unit: 'ms',
      ...middle,
      ...(published && { bar: `at most ${published.median} ms`, met: middle.ours <= published.median }),
    },
    {
      what: `${name}: from start to end, one at a time, p95`,
      unit: 'ms',
      ...late,
      ...(published && { bar: `at most ${published.p95} ms`, met: late.ours <= published.p95 }),
    },
    {
      what: `${name}: events of a history, the longest of ${batches.ours.flatMap(batch => batch.events).length}`,
      unit: 'events',
      ...events,
      ...(eventBar && { bar: eventBar.bar, met: eventBar.met(events.ours, events.baseline) }),
    },
  ]
}

function allWaits(batches: readonly Batch[]): number[] {
  return batches.flatMap(({ waits }) => waits)
}

function allLengths(batches: readonly Batch[]): number[] {
  return batches.flatMap(({ lengths }) => lengths)
}

function compare(batches: Batches, measure: (batches: readonly Batch[]) => number) {
  const [ours, baseline] = [measure(batches.ours), measure(batches.baseline)]
  return { ours, baseline, ratio: ours / baseline }
}
