import { type Duration, type FlowDeclaration, parseDuration } from '#flows'
import type { CaseRun, EventWord, LoadedCase, TestCase } from '#testing/cases'
import type { SimulationOptions } from '#testing/simulator'
import { createDelay, toWindows } from '../../../testing/cases/real/times.ts'
import { compareState } from '../../../testing/cases/run/match.ts'
import { type SimulatedCase, startSimulatedCase } from '../../../testing/cases/simulated/target.ts'
import { rarePolls } from '../world/settings.ts'

/** The factor of all windows and times of recorded cases: 48 hours are ten seconds. */
export const windowFactor = 10 / (48 * 3_600)

/** Milliseconds between two events. On real parts each takes some. */
const eventTime = 10

/** Milliseconds of the simulation that a flow has to react. */
const reactionTime = 600_000

/** The case number of all simulated cases. */
const caseNo = 'case-00000000-0000-4000-8000-000000000000'

/**
 * Plays a case on the simulator as on real parts: in scaled time, and with each event when it is possible.
 * @returns the simulation after the last event, to be closed
 * @throws Error for an event that stays impossible
 */
export async function playScaled(
  { test: unscaled }: Pick<LoadedCase, 'test'>,
  flow: FlowDeclaration,
  options: Pick<SimulationOptions, 'calendars' | 'delivery' | 'flows' | 'replaysEachTask' | 'startAt'>,
): Promise<SimulatedCase> {
  const test = scaleCase(unscaled)
  const failing = test.story.slice(0, firstOther(test)).flatMap(word => ('fail' in word ? [word.fail] : []))
  const run = await startSimulatedCase(
    { test, flow, failing },
    { ...options, windowFactor, pollInterval: rarePolls, createDelay, ...(test.runs && { runs: test.runs }) },
    // A starter of real parts asks for the booking only after its start.
    { caseNo, waits: false, windows: toWindows(test, flow) },
  )
  try {
    for (const word of test.story.slice(failing.length)) {
      await run.simulation.advance(eventTime)
      if ('expect' in word) await until(run, async () => compareState(word.expect, await run.observe()).length === 0)
      else await perform(run, word)
    }
    await until(run, async () => run.simulation.hasEnded)
    return run
  } catch (error) {
    await run.close()
    throw error
  }
}

function firstOther({ story }: TestCase): number {
  const index = story.findIndex(word => !('fail' in word))
  return index < 0 ? story.length : index
}

/** Lets time pass until an event is possible. */
async function perform(run: SimulatedCase, word: Parameters<CaseRun['perform']>[0]): Promise<void> {
  let refusal: unknown
  const isDone = await until(run, async () => {
    try {
      await run.perform(word)
      return true
    } catch (error) {
      refusal = error
      return false
    }
  })
  if (!isDone) throw refusal
}

/** Goes from timer to timer until a condition holds. Returns false if it never does. */
async function until({ simulation }: SimulatedCase, holds: () => Promise<boolean>): Promise<boolean> {
  const end = simulation.now + reactionTime
  while (!(await holds())) if (simulation.now > end || !(await simulation.jump())) return false
  return true
}

function scaleCase(test: TestCase): TestCase {
  const { runs } = test
  return {
    ...test,
    story: test.story.map(word => ('expect' in word ? word : scaleWord(word))),
    ...(runs && { runs: Object.fromEntries(Object.entries(runs).map(([name, run]) => [name, scaleRun(run)])) }),
  }
}

function scaleWord(word: EventWord): EventWord {
  if ('after' in word) return { ...word, after: scale(word.after) }
  if ('decide' in word && word.by !== undefined) return { ...word, by: scale(word.by) }
  return word
}

function scaleRun<Run extends NonNullable<TestCase['runs']>[string]>(run: Run): Run {
  return run.takes === undefined ? run : { ...run, takes: scale(run.takes) }
}

function scale(duration: Duration): Duration {
  return `${Math.max(1, Math.round((parseDuration(duration) ?? 0) * windowFactor))}ms`
}
