import { randomUUID } from 'node:crypto'
import type { Row } from '../row.ts'
import { inParallel } from './batch.ts'
import { issue } from './journeys.ts'
import { type Compared, startSide } from './sides.ts'
import type { Memory } from './threads.ts'
import type { World } from './world.ts'

const most = 1.25
const kibibyte = 1_024
/** Flows that are open before the first measurement, because the first flows make the worker load and compile. */
const warmUp = 100
/** The sides in pairs, with alternating order. */
const order: readonly Compared[] = ['baseline', 'ours', 'ours', 'baseline']

/** Memory of a waiting issue, in a worker that runs nothing else. */
export async function benchMemory(world: World, open: number): Promise<Row[]> {
  const samples: Record<Compared, Memory[]> = { ours: [], baseline: [] }
  for (const name of order) samples[name].push(await growth(world, name, open))
  const row = (what: string, of: keyof Memory): Row => {
    const [ours, baseline] = [mean(samples.ours, of), mean(samples.baseline, of)]
    const ratio = ours / baseline
    return {
      what: `memory of a waiting issue, ${open} open, ${what}`,
      unit: 'KiB',
      ours: ours / kibibyte,
      baseline: baseline / kibibyte,
      ratio,
      // With few flows the process can even shrink, and then a ratio has no meaning.
      ...(ours > 0 && baseline > 0 && { bar: `at most ${most} of a bare one`, met: ratio <= most }),
    }
  }
  return [row('heap after collection', 'heap'), row('resident', 'resident')]
}

function mean(samples: readonly Memory[], of: keyof Memory): number {
  return samples.reduce((sum, memory) => sum + memory[of], 0) / samples.length
}

/** Growth in bytes per flow. */
async function growth(world: World, name: Compared, open: number): Promise<Memory> {
  const { worker, start } = await startSide(world, name)
  const openSome = (count: number) =>
    inParallel(count, 20, async () => start(issue, `M-${randomUUID()}`, await issue.prepare(world)))
  const measured = async () => {
    const { memory } = await worker.run({ measure: 'memory' })
    if (memory === undefined) throw new Error('the worker did not measure its memory')
    return memory
  }
  try {
    await openSome(warmUp)
    const before = await measured()
    await openSome(open)
    const after = await measured()
    return { heap: (after.heap - before.heap) / open, resident: (after.resident - before.resident) / open }
  } finally {
    await worker.stop()
  }
}
