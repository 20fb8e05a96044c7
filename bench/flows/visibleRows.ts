import { median, pairs } from '../pairs.ts'
import type { Row } from '../row.ts'
import { type Batch, inParallel, runBatch } from './batch.ts'
import type { Journey } from './journeys.ts'
import type { Options } from './options.ts'
import type { Side } from './sides.ts'
import type { World } from './world.ts'

const minRate = 0.95

/** Measures a flow under load, alternating with the hand-written workflow that has the same visibility. */
export async function benchVisible(
  world: World,
  { ours, visible }: { readonly ours: Side; readonly visible: Side },
  journey: Journey,
  { rounds, flows, concurrency }: Options,
): Promise<Row[]> {
  const warm = Math.ceil(flows / 2)
  const requests = await inParallel(2 * (warm + rounds * flows), 20, () => journey.prepare(world))
  const measure = async (times: number, size: number) => {
    const measured = { ours: [] as Batch[], visible: [] as Batch[] }
    const batch = (side: Side, batches: Batch[]) => async () => {
      const result = await runBatch(world, side, journey, requests.splice(0, size), concurrency)
      batches.push(result)
      return result.perSecond
    }
    await pairs(times, batch(ours, measured.ours), batch(visible, measured.visible))
    return measured
  }
  await measure(1, warm)
  const measured = await measure(rounds, flows)
  const compare = (of: (batch: Batch) => number) => {
    const [own, baseline] = [median(measured.ours.map(of)), median(measured.visible.map(of))]
    return { ours: own, baseline, ratio: own / baseline }
  }
  const name = `${journey.name}, against the hand-written one with the same visibility`
  const rate = compare(({ perSecond }) => perSecond)
  return [
    {
      what: `${name}: flows through, ${concurrency} at once`,
      unit: '/s',
      ...rate,
      bar: `at least ${minRate}`,
      met: rate.ratio >= minRate,
    },
    { what: `${name}: processor time of the worker for a flow`, unit: 'ms', ...compare(({ worker }) => worker) },
    {
      what: `${name}: processor time of all processes for a flow`,
      unit: 'ms',
      ...compare(({ all }) => all ?? Number.NaN),
    },
  ]
}
