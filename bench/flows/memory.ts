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

/** What an issue that waits for its item costs in the worker's memory, in a worker that has done nothing else. */
export async function benchMemory(world: World, open: number): Promise<Row[]> {
  const baseline = await growth(world, 'baseline', open)
  const ours = await growth(world, 'ours', open)
  const row = (what: string, of: keyof Memory): Row => {
    const ratio = ours[of] / baseline[of]
    return {
      what: `memory of a waiting issue, ${open} open, ${what}`,
      unit: 'KiB',
      ours: ours[of] / kibibyte,
      baseline: baseline[of] / kibibyte,
      ratio,
      // With few flows the process may even shrink; then there is nothing to compare.
      ...(ours[of] > 0 && baseline[of] > 0 && { bar: `at most ${most} of a bare one`, met: ratio <= most }),
    }
  }
  return [row('heap after collection', 'heap'), row('resident', 'resident')]
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
