// The benchmarks of the flows, compared with workflows written by hand. bench/main.ts imports this.
import { bundleFlows, installRuntime, replay } from '#worker'
import { readHistories } from '../../test/replay/histories.ts'
import { median } from '../pairs.ts'
import { type Row, toTable } from '../row.ts'
import { benchBranches } from './branches.ts'
import { benchJourney, type JourneyBars, published } from './journeyRows.ts'
import { inspectedIssue, issue, type Journey, loan } from './journeys.ts'
import { benchMemory } from './memory.ts'
import { type Options, readOptions, takeChoice, takeOnly } from './options.ts'
import { type Side, type SideName, startSide } from './sides.ts'
import { type TemporalName, temporals } from './temporals.ts'
import { benchVisible } from './visibleRows.ts'
import { startWorld, type World } from './world.ts'

const issueBars: JourneyBars = {
  minRate: 0.9,
  published,
  // The six pay for the plan, the search attributes and the timer.
  events: { bar: 'at most 6 more than the hand-written one', met: (ours, baseline) => ours <= baseline + 6 },
}
const loanBars: JourneyBars = { minRate: 0.9, published, events: { bar: 'at most 45', met: ours => ours <= 45 } }
const ownBars: JourneyBars = { minRate: 0.85 }

const parts = ['replay', 'issue', 'loan', 'own', 'branches', 'memory'] as const

/** Seconds. */
const replayBar = 5

/**
 * Runs the benchmarks in sequence, since each needs the whole machine. `--only loan` runs a part, `--temporal postgres` measures
 * with the server of docker-compose.yml instead of the dev server. The rows of each part are printed when they are measured, since
 * all of them take ten minutes.
 */
export async function benchFlows(): Promise<Row[]> {
  const args = process.argv.slice(3)
  const wanted = takeOnly(args, parts)
  const temporal = takeChoice(args, 'temporal', Object.keys(temporals) as TemporalName[])
  const options = readOptions(args)
  const measures = (world: World): Readonly<Record<(typeof parts)[number], () => Promise<Row[]>>> => ({
    replay: async () => [await benchReplay(options.rounds)],
    issue: () => benchSides(world, issue, issueBars, options),
    loan: () => benchSides(world, loan, loanBars, options),
    own: () => benchSides(world, inspectedIssue, ownBars, options),
    branches: () => benchBranches(world, options),
    memory: () => benchMemory(world, options.open),
  })
  const world = await startWorld({}, temporal)
  try {
    const rows: Row[] = []
    for (const part of wanted) {
      const measured = await measures(world)[part]()
      if (wanted.length > 1) console.error(toTable(measured))
      rows.push(...measured)
    }
    return rows
  } finally {
    await world.stop()
  }
}

/** Compares a flow twice with the same workers, which are warm in the second comparison. */
function benchSides(world: World, journey: Journey, bars: JourneyBars, options: Options): Promise<Row[]> {
  return withSides(world, async sides => [
    ...(await benchJourney(world, sides, journey, bars, options)),
    ...(await benchVisible(world, sides, journey, options)),
  ])
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

/** Replay of all recorded histories with a finished bundle: a developer waits for it after each change. */
async function benchReplay(rounds: number): Promise<Row> {
  installRuntime('ERROR')
  const bundle = await bundleFlows()
  const histories = [...readHistories().values()]
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    const faults = await replay(bundle, histories)
    times.push((performance.now() - began) / 1_000)
    if (faults.length > 0) throw new Error(`histories do not replay: ${JSON.stringify(faults)}`)
  }
  return {
    what: `replay of ${histories.length} recorded histories`,
    unit: 's',
    ours: median(times),
    bar: `under ${replayBar} s`,
    met: median(times) < replayBar,
  }
}
