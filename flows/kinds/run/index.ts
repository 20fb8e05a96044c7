import { parseDuration } from '#contract/terms'
import type { Kind, Planning } from '../kind.ts'
import type { PlannedRun, RunStep } from './step.ts'

/** From a quarter of a second, doubled up to half a minute. */
const standardRetry = { initialInterval: 250, maximumInterval: 30_000, backoffCoefficient: 2 }

export const run: Kind<RunStep, PlannedRun> = {
  end: ({ window }) => window,
  describe: step => `Activity ${step.run}.`,
  defaultLength,
  plan(step, planning) {
    const { run: activity, keep, undo, timeout, window, heartbeat, retry = 'standard', taskQueue } = step
    planning.rejectLarge(step.with)
    return {
      kind: 'run',
      activity,
      with: step.with,
      keep,
      undo: planUndo(undo, planning),
      timeout: toMilliseconds(timeout),
      window: planning.length(window, defaultLength(step)),
      ...(heartbeat !== undefined && { heartbeat: toMilliseconds(heartbeat) }),
      retry: toRetry(retry),
      ...(taskQueue !== undefined && { taskQueue }),
    }
  },
}

function planUndo(undo: RunStep['undo'], planning: Planning): PlannedRun['undo'] {
  if (typeof undo === 'string') return undo
  const until = undo.until === undefined ? undefined : planning.indexOf(undo.until)
  return { leaves: undo.leaves, ...(until !== undefined && { until }) }
}

/** One attempt, and an hour. */
function defaultLength({ timeout }: RunStep): number {
  return toMilliseconds(timeout) + 3_600_000
}

function toRetry(retry: NonNullable<RunStep['retry']>): PlannedRun['retry'] {
  if (retry === 'standard') return standardRetry
  if (retry === 'once') return { maximumAttempts: 1 }
  const { initialInterval: initial, maximumInterval: maximum, ...rest } = retry
  const initialInterval = initial === undefined ? standardRetry.initialInterval : toMilliseconds(initial)
  const longest = maximum === undefined ? standardRetry.maximumInterval : toMilliseconds(maximum)
  // The SDK refuses a maximum below the initial interval, and every workflow task of the step would fail.
  return { ...standardRetry, ...rest, initialInterval, maximumInterval: Math.max(longest, initialInterval) }
}

function toMilliseconds(text: string): number {
  const length = parseDuration(text)
  if (length === undefined) throw new Error(`${text} is not a duration`)
  return length
}
