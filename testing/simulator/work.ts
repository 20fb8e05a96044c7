import { ApplicationFailure } from '@temporalio/common'
import { createActivities, type FlowActivities } from '#activities'
import { testCalendars } from '#activities/calendars'
import { fullProfile } from '#contract/terms'
import { allSteps, flows as builtIn, parseDuration } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import type { RunResult } from '#testing/story'
import { ActivityRunner, runInContext } from './activities.ts'
import type { VirtualClock } from './clock.ts'
import type { SimulationOptions } from './options.ts'
import type { RunningActivity } from './runningActivity.ts'
import type { Server } from './server.ts'
import type { World } from './world.ts'

/** The activity of a run step of this project. It would fetch a file, so a simulation does not run it. */
const suggestionsActivity = 'importSuggestions'
const hour = 3_600_000
const defaultPolls = { initial: hour, maximum: 24 * hour }

export interface WorkParts {
  readonly world: World
  readonly clock: VirtualClock
  readonly options: SimulationOptions
  /** Called after each attempt of a built-in activity. */
  readonly afterAttempt: () => Promise<void>
}

/** The flow whose activities run. */
export interface FlowOfWork {
  readonly workflowId: string
  readonly declaration: FlowDeclaration | undefined
  /** The results of its run steps, by activity. */
  readonly runs: Readonly<Record<string, RunResult>>
}

/** The activities of one flow: the built-in ones, and the results of run steps that the story gives. */
export class Work {
  readonly runner: ActivityRunner
  readonly #parts: WorkParts
  readonly #activities: FlowActivities
  #count = 0

  constructor(parts: WorkParts) {
    const { world, clock, options } = parts
    const { flows = builtIn, profile = fullProfile, notifications = false, createDelay } = options
    const { pollInterval = defaultPolls, calendars = testCalendars } = options
    this.#parts = parts
    this.runner = new ActivityRunner(clock)
    this.#activities = createActivities(world.workerApi, {
      flows,
      profile,
      pollInterval,
      calendars,
      ...(createDelay !== undefined && { createDelay }),
      // Nothing is sent to it: the simulation stands for the workflow that delivers.
      ...(notifications && { notifications: { url: 'http://notifications.invalid', key: 'simulated' } }),
    })
  }

  start(of: FlowOfWork, ...[{ name, args, options }, onEnd]: Parameters<Server['startActivity']>): RunningActivity {
    const { workflowId } = of
    const id = options.activityId ?? String(++this.#count)
    const builtIn = name === suggestionsActivity ? undefined : this.#find(name)
    const { takes } = of.runs[name] ?? {}
    const attempt = async (attempt: number) => {
      if (builtIn === undefined) return this.#toResult(name, of)
      try {
        return await runInContext({ name, id, workflowId }, attempt, () => builtIn(...args))
      } finally {
        await this.#parts.afterAttempt()
      }
    }
    const length = takes === undefined || builtIn !== undefined ? 0 : readDuration('takes', takes)
    return this.runner.start({ name, id, options, takes: length, attempt, onEnd })
  }

  #find(name: string) {
    if (!Object.hasOwn(this.#activities, name)) return undefined
    return this.#activities[name as keyof FlowActivities] as (...args: readonly unknown[]) => Promise<unknown>
  }

  /** The result of an activity that does not run. */
  #toResult(name: string, { declaration, runs }: FlowOfWork): unknown {
    const fault = this.#parts.world.faults.take(name)
    if (fault !== undefined) {
      throw ApplicationFailure.create({
        type: fault.code ?? 'Unavailable',
        message: 'The story lets it fail.',
        nonRetryable: fault.code !== undefined,
      })
    }
    const result = runs[name]
    if (result !== undefined) return result.returns
    if (allSteps(declaration?.steps ?? []).some(step => 'run' in step && step.undo === name)) return null
    throw new Error(`runs.${name}: must be given, because a simulation does not run this activity.`)
  }
}

/**
 * Returns the milliseconds of a duration.
 * @param field the one that has it, for the message
 * @throws Error for a text that is not a duration
 */
export function readDuration(field: string, duration: string): number {
  const length = parseDuration(duration)
  if (length === undefined)
    throw new Error(`${field}: must be a duration such as "3d", got ${JSON.stringify(duration)}.`)
  return length
}
