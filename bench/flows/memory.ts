import { randomUUID } from 'node:crypto'
import type { Row } from '../row.ts'
import { inParallel } from './inParallel.ts'
import { issue } from './journeys.ts'
import { type SideName, startSide } from './sides.ts'
import type { Memory } from './threads.ts'
import type { World } from './world.ts'

const most = 1.25
const kibibyte = 1_024
/** Flows that are open before the first look: a worker's first ones make it load and compile. */
const warming = 100
/** Pairs, the order changing. */
const turns: readonly SideName[] = ['baseline', 'ours', 'ours', 'baseline']

/** What an issue that waits for its item costs in the worker's memory, in a worker that has done nothing else. */
export async function benchMemory(world: World, open: number): Promise<Row[]> {
  const taken: Record<SideName, Memory[]> = { ours: [], baseline: [] }
  for (const name of turns) taken[name].push(await growth(world, name, open))
  const row = (what: string, of: keyof Memory): Row => {
    const [ours, baseline] = [mean(taken.ours, of), mean(taken.baseline, of)]
    const ratio = ours / baseline
    return {
      what: `memory of a waiting issue, ${open} open, ${what}`,
      unit: 'KiB',
      ours: ours / kibibyte,
      baseline: baseline / kibibyte,
      ratio,
      // With few flows the process may even shrink; then there is nothing to compare.
      ...(ours > 0 && baseline > 0 && { bar: `at most ${most} of a bare one`, met: ratio <= most }),
    }
  }
  return [row('heap after collection', 'heap'), row('resident', 'resident')]
}

function mean(taken: readonly Memory[], of: keyof Memory): number {
  return taken.reduce((sum, memory) => sum + memory[of], 0) / taken.length
}

/** In bytes, for each flow. */
async function growth(world: World, name: SideName, open: number): Promise<Memory> {
  const { worker, start } = await startSide(world, name)
  const openSome = (count: number) =>
    inParallel(count, 20, async () => start(issue, `M-${randomUUID()}`, await issue.prepare(world)))
  const measured = async () => {
    const { memory } = await worker.run({ measure: 'memory' })
    if (memory === undefined) throw new Error('the worker did not measure its memory')
    return memory
  }
  try {
    await openSome(warming)
    const before = await measured()
    await openSome(open)
    const after = await measured()
    return { heap: (after.heap - before.heap) / open, resident: (after.resident - before.resident) / open }
  } finally {
    await worker.stop()
  }
}
