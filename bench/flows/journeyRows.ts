import { median, pairs, quantile } from '../pairs.ts'
import type { Row } from '../row.ts'
import { inParallel } from './inParallel.ts'
import type { Journey } from './journeys.ts'
import type { Options } from './options.ts'
import type { Side, SideName } from './sides.ts'
import { type Turn, take } from './turn.ts'
import type { World } from './world.ts'

const leastRate = 0.9
const longestWait = 1.25
/** What others have published of a flow in three steps on a server like this: flows per second, and milliseconds. */
const published = { perSecond: 39, median: 119, p95: 283 }

/** How many events a history may have. */
export interface EventBar {
  readonly bar: string
  readonly met: (ours: number, baseline: number) => boolean
}

type Turns = Readonly<Record<SideName, readonly Turn[]>>

/** A flow under load and alone, in turns with the hand-written one. */
export async function benchJourney(
  world: World,
  sides: Readonly<Record<SideName, Side>>,
  journey: Journey,
  eventBar: EventBar,
  options: Options,
): Promise<Row[]> {
  const { rounds, flows, concurrency, alone } = options
  const most = Math.ceil(flows / 2)
  const count = 2 * (most + rounds * (flows + alone))
  // Before the clock runs: what a flow needs to be there is no part of it.
  const requests = await inParallel(count, 20, () => journey.prepare(world))
  const turns = async (times: number, size: number, atOnce: number): Promise<Turns> => {
    const taken: Record<SideName, Turn[]> = { ours: [], baseline: [] }
    const turn = (name: SideName) => async () => {
      const made = await take(world, sides[name], journey, requests.splice(0, size), atOnce)
      taken[name].push(made)
      return made.perSecond
    }
    await pairs(times, turn('ours'), turn('baseline'))
    return taken
  }
  // Compiled, connected and cached first.
  await turns(1, most, concurrency)
  const loaded = await turns(rounds, flows, concurrency)
  const single = await turns(rounds, alone, 1)
  return [...loadedRows(journey, loaded, concurrency), ...singleRows(journey, single, eventBar)]
}

function loadedRows({ name }: Journey, turns: Turns, concurrency: number): Row[] {
  const rate = compared(turns, each => median(each.map(({ perSecond }) => perSecond)))
  const all = compared(turns, each => median(each.map(turn => turn.all ?? Number.NaN)))
  return [
    {
      what: `${name}: flows through, ${concurrency} at once`,
      unit: '/s',
      ...rate,
      bar: `at least ${leastRate} of the hand-written one, and ${published.perSecond} /s`,
      met: rate.ratio >= leastRate && rate.ours >= published.perSecond,
    },
    {
      what: `${name}: processor time of the worker for a flow`,
      unit: 'ms',
      ...compared(turns, each => median(each.map(({ worker }) => worker))),
    },
    ...(Number.isNaN(all.ours)
      ? []
      : [
          {
            what: `${name}: processor time of all processes for a flow`,
            unit: 'ms',
            ...all,
            bar: `at least ${leastRate} of the flows for the same time`,
            met: 1 / all.ratio >= leastRate,
          },
        ]),
    {
      what: `${name}: wait for the booking, ${concurrency} at once, median`,
      unit: 'ms',
      ...compared(turns, each => median(waitsOf(each))),
    },
    {
      what: `${name}: wait for the booking, ${concurrency} at once, p95`,
      unit: 'ms',
      ...compared(turns, each => quantile(waitsOf(each), 0.95)),
    },
  ]
}

function singleRows({ name }: Journey, turns: Turns, eventBar: EventBar): Row[] {
  const wait = compared(turns, each => median(waitsOf(each)))
  const middle = compared(turns, each => median(lengthsOf(each)))
  const late = compared(turns, each => quantile(lengthsOf(each), 0.95))
  const events = compared(turns, each => Math.max(...each.flatMap(turn => turn.events)))
  return [
    {
      what: `${name}: wait for the booking, one at a time, median`,
      unit: 'ms',
      ...wait,
      bar: `at most ${longestWait} of the hand-written one`,
      met: wait.ratio <= longestWait,
    },
    {
      what: `${name}: wait for the booking, one at a time, p95`,
      unit: 'ms',
      ...compared(turns, each => quantile(waitsOf(each), 0.95)),
    },
    {
      what: `${name}: from start to end, one at a time, median`,
      unit: 'ms',
      ...middle,
      bar: `at most ${published.median} ms`,
      met: middle.ours <= published.median,
    },
    {
      what: `${name}: from start to end, one at a time, p95`,
      unit: 'ms',
      ...late,
      bar: `at most ${published.p95} ms`,
      met: late.ours <= published.p95,
    },
    {
      what: `${name}: events of a history, the longest of ${turns.ours.flatMap(turn => turn.events).length}`,
      unit: 'events',
      ...events,
      bar: eventBar.bar,
      met: eventBar.met(events.ours, events.baseline),
    },
  ]
}

function waitsOf(turns: readonly Turn[]): number[] {
  return turns.flatMap(({ waits }) => waits)
}

function lengthsOf(turns: readonly Turn[]): number[] {
  return turns.flatMap(({ lengths }) => lengths)
}

function compared(turns: Turns, figureOf: (turns: readonly Turn[]) => number) {
  const [ours, baseline] = [figureOf(turns.ours), figureOf(turns.baseline)]
  return { ours, baseline, ratio: ours / baseline }
}
