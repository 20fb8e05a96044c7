import { ApplicationFailure } from '@temporalio/common'
import type { Cancellable, ChildOptions, NamedOptions, StartedActivity, StartedChild } from '#workflows/runtime'
import type { Commands } from './commands.ts'
import { type ActivityEnd, type Job, type Server, toCode, toJson } from './server.ts'
import type { Happening } from './timeLine.ts'

/** The server as a run sees it, and the commands of the run. */
export interface StartParts extends Pick<Server, 'note' | 'arrive' | 'startTimer' | 'startActivity' | 'startChild'> {
  readonly commands: Commands
}

/** Starts a timer. @param length milliseconds */
export function startTimer(
  { note, arrive, startTimer, commands }: StartParts,
  { length, summary }: { readonly length: number; readonly summary: string },
  fire: () => void,
): Cancellable {
  let running: Cancellable | undefined
  let isCancelled = false
  const ring: Job = {
    arrival: { kind: 'timer', summary },
    events: 1,
    happening: { kind: 'timerFired', summary },
    run() {
      if (!isCancelled) fire()
    },
  }
  const command = commands.add(() => {
    note({ kind: 'timerStarted', summary, length })
    running = startTimer(length, () => {
      if (!isCancelled) arrive(ring)
    })
  })
  return {
    cancel() {
      if (isCancelled) return
      isCancelled = true
      // The SDK learns of it from the rejected promise of a scope.
      queueMicrotask(() => {
        if (running === undefined) command.isDropped = true
        else commands.add(() => note({ kind: 'timerCanceled', summary }))
        running?.cancel()
      })
    },
  }
}

/** Starts an activity with copied arguments. */
export function startActivity(
  { note, arrive, startActivity, commands }: StartParts,
  activity: { readonly name: string; readonly args: readonly unknown[]; readonly options: NamedOptions },
): StartedActivity {
  const { name, options } = activity
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const args = toJson(activity.args)
  let running: Cancellable | undefined
  let hasEnded = false
  commands.add(() => {
    note({ kind: 'activityScheduled', activity: name, summary: options.summary, args })
    running = startActivity({ name, args, options }, (end, attempts) => {
      // Cancelled between two attempts, it was never started.
      const events = 'failure' in end && isCancelled(end) ? 1 : 2
      const result = 'result' in end ? end.result : undefined
      arrive({
        arrival: { kind: 'activity', name, result },
        events,
        happening: toHappening(name, end, attempts),
        run() {
          hasEnded = true
          if ('failure' in end) reject(end.failure)
          else resolve(end.result)
        },
      })
    })
  })
  const cancel = () => {
    if (hasEnded) return
    commands.add(() => {
      note({ kind: 'activityCancelRequested', activity: name })
      running?.cancel()
    })
  }
  return { result: promise, cancel: () => queueMicrotask(cancel) }
}

/** Starts a child workflow, which ends at once. */
export function startChild(
  { note, arrive, startChild, commands }: StartParts,
  workflow: string,
  options: ChildOptions,
): Promise<StartedChild> {
  return new Promise(resolve => {
    commands.add(() => {
      const args = toJson(options.args) as never
      note({ kind: 'childInitiated', workflow, summary: options.summary, args })
      startChild(workflow, { ...options, args })
      const ended = Promise.withResolvers<void>()
      const completed: Job = {
        arrival: { kind: 'childCompleted' },
        events: 1,
        happening: { kind: 'childCompleted', workflow },
        run: ended.resolve,
      }
      arrive({
        arrival: { kind: 'childStarted' },
        events: 1,
        happening: { kind: 'childStarted', workflow },
        run() {
          resolve({ result: () => ended.promise })
          arrive(completed)
        },
      })
    })
  })
}

function isCancelled({ failure }: Extract<ActivityEnd, { failure: unknown }>): boolean {
  return failure.cause?.name === 'CancelledFailure'
}

function toHappening(activity: string, end: ActivityEnd, attempts: number): Happening {
  if (!('failure' in end)) return { kind: 'activityCompleted', activity, attempts, result: end.result }
  const { cause } = end.failure
  if (isCancelled(end)) return { kind: 'activityCanceled', activity }
  if (cause instanceof ApplicationFailure) return { kind: 'activityFailed', activity, attempts, code: toCode(cause) }
  return { kind: 'activityTimedOut', activity, attempts }
}
