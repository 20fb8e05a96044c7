import type { FlowOutcome, LeftOver } from '#flows'
import { leadingFaults, type StoryEvent } from '#testing/story'
import type { SimulatedStart, SimulationOptions } from './options.ts'
import type { SimulatedRun } from './run.ts'
import { openSimulation, type Simulation } from './simulation.ts'

/** A flow, its request, and the story that is played. */
export interface SimulateOptions extends SimulatedStart, SimulationOptions {
  readonly story: readonly StoryEvent[]
  /** Simulates a cancellation at each point of the story, too. */
  readonly cancelling?: boolean
}

/** The left-overs of a cancellation at a point of a story. */
export interface CancelledAt {
  /** The number of events of the story before it. */
  readonly after: number
  /** The step in which the flow would wait; null before its booking. */
  readonly step: string | null
  readonly outcome: FlowOutcome | 'failed' | undefined
  readonly leftOver: readonly LeftOver[]
}

/** The run of a story. */
export interface SimulatedStory extends SimulatedRun {
  /** Only with `cancelling`. */
  readonly leftOvers: readonly CancelledAt[]
}

/**
 * Starts a flow and plays a story to its end. The same options give the same run.
 *
 * ```ts
 * const run = await simulate({
 *   flow: 'issue',
 *   request: {
 *     PupUid: { $pup: 1 },
 *     ToUserUid: { $user: 1 },
 *     AllowLargerLockers: true,
 *     AllowOverflowLockers: false,
 *     Dimension: { width: 30, height: 15, length: 40 },
 *   },
 *   story: [{ dropOff: 'issue' }, { after: '1d' }, { pickUp: 'issue' }],
 * })
 * console.log(run.outcome)
 * ```
 */
export async function simulate(options: SimulateOptions): Promise<SimulatedStory> {
  const { story, cancelling = false } = options
  const run = await play(options, story, async simulation => simulation.run())
  const leftOvers: CancelledAt[] = []
  for (let after = 0; cancelling && after <= story.length; after++) {
    const cancelled = await cancelAfter(options, after)
    if (cancelled === undefined) break
    leftOvers.push(cancelled)
  }
  return { ...run, leftOvers }
}

/** Undefined if the flow has ended before. */
function cancelAfter(options: SimulateOptions, after: number): Promise<CancelledAt | undefined> {
  return play(options, options.story.slice(0, after), async simulation => {
    if (simulation.hasEnded) return undefined
    const { step } = simulation.status()
    await simulation.apply({ cancel: 'simulated' })
    while (!simulation.hasEnded && (await simulation.jump()));
    const { outcome, leftOver } = simulation.run()
    return { after, step, outcome, leftOver }
  })
}

async function play<Result>(
  options: SimulateOptions,
  story: readonly StoryEvent[],
  read: (simulation: Simulation) => Promise<Result>,
): Promise<Result> {
  const simulation = await openSimulation(options)
  try {
    const failing = leadingFaults(story)
    for (const fail of failing) simulation.prepare({ fail })
    await simulation.start(options)
    for (const event of story.slice(failing.length)) await simulation.apply(event)
    return await read(simulation)
  } finally {
    await simulation.close()
  }
}
