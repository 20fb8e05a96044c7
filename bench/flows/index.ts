// The benchmarks of the flows, compared with workflows written by hand. bench/main.ts imports this.
import type { Row } from '../row.ts'
import { benchJourney, type EventBar } from './journeyRows.ts'
import { issue, loan } from './journeys.ts'
import { benchMemory } from './memory.ts'
import { readOptions } from './options.ts'
import { benchReplay } from './replay.ts'
import { type Side, type SideName, startSide } from './sides.ts'
import { benchVisible } from './visibleRows.ts'
import { startWorld, type World } from './world.ts'

/** The six events pay for the plan, the search attributes and the timer. */
const issueEvents: EventBar = {
  bar: 'at most 6 more than the hand-written one',
  met: (ours, baseline) => ours <= baseline + 6,
}
const loanEvents: EventBar = { bar: 'at most 45', met: ours => ours <= 45 }

/** Runs the benchmarks in sequence, since each needs the whole machine. */
export async function benchFlows(): Promise<Row[]> {
  const options = readOptions(process.argv.slice(3))
  const replayed = await benchReplay(options.rounds)
  const world = await startWorld()
  try {
    return [
      ...(await withSides(world, async sides => [
        ...(await benchJourney(world, sides, issue, issueEvents, options)),
        ...(await benchJourney(world, sides, loan, loanEvents, options)),
        ...(await benchVisible(world, sides, issue, options)),
        ...(await benchVisible(world, sides, loan, options)),
      ])),
      ...(await benchMemory(world, options.open)),
      replayed,
    ]
  } finally {
    await world.stop()
  }
}

async function withSides(world: World, bench: (sides: Record<SideName, Side>) => Promise<Row[]>) {
  const ours = await startSide(world, 'ours')
  const [baseline, visible] = [await startSide(world, 'baseline'), await startSide(world, 'visible')]
  try {
    return await bench({ ours, baseline, visible })
  } finally {
    await Promise.all([ours, baseline, visible].map(({ worker }) => worker.stop()))
  }
}
