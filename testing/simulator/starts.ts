import { ApplicationFailure } from '@temporalio/common'
import type { Cancellable, ChildOptions, NamedOptions, StartedActivity, StartedChild } from '#workflows/runtime'
import type { Commands } from './commands.ts'
import { type ActivityEnd, type Job, type Server, toCode, toJson } from './server.ts'
import type { TimeLineEvent } from './timeLine.ts'

/** The parts of a run that start timers, activities and children. */
export interface StartParts extends Pick<Server, 'note' | 'arrive' | 'startTimer' | 'startActivity' | 'startChild'> {
  readonly commands: Commands
  readonly waits: Waits
  /** Starts something at the server. In a replay it has been started before. */
  readonly begin: (number: number, start: () => Cancellable) => Cancellable
}

/** Everything that a run has started and waits for, by numbers that its replay gives again. */
export class Waits {
  readonly #resumes: ((value: unknown) => void)[] = []

  add(resume: (value: unknown) => void): number {
    return this.#resumes.push(resume) - 1
  }

  resume(number: number, value: unknown): void {
    this.#resumes[number]?.(value)
  }
}

/** Starts a timer. @param length milliseconds */
export function startTimer(
  { note, arrive, startTimer, begin, commands, waits }: StartParts,
  { length, summary }: { readonly length: number; readonly summary: string },
  fire: () => void,
): Cancellable {
  let running: Cancellable | undefined
  let isCancelled = false
  const number = waits.add(() => {
    if (!isCancelled) fire()
  })
  const ring: Job = {
    arrival: { kind: 'timer', summary },
    events: 1,
    timeLineEvent: { kind: 'timerFired', summary },
    run: receiver => receiver.resume(number),
  }
  const command = commands.add(() => {
    note({ kind: 'timerStarted', summary, length })
    running = begin(number, () => startTimer(length, () => arrive(ring)))
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
  { note, arrive, startActivity, begin, commands, waits }: StartParts,
  activity: { readonly name: string; readonly args: readonly unknown[]; readonly options: NamedOptions },
): StartedActivity {
  const { name, options } = activity
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const args = toJson(activity.args)
  let running: Cancellable | undefined
  let hasEnded = false
  const number = waits.add(value => {
    const end = value as ActivityEnd
    hasEnded = true
    if ('failure' in end) reject(end.failure)
    else resolve(end.result)
  })
  const onEnd = (end: ActivityEnd, attempts: number) => {
    // Cancelled between two attempts, it was never started.
    const events = 'failure' in end && isCancelled(end) ? 1 : 2
    const result = 'result' in end ? end.result : undefined
    arrive({
      arrival: { kind: 'activity', name, result },
      events,
      timeLineEvent: toTimeLineEvent(name, end, attempts),
      run: receiver => receiver.resume(number, end),
    })
  }
  commands.add(() => {
    note({ kind: 'activityScheduled', activity: name, summary: options.summary, args })
    running = begin(number, () => startActivity({ name, args, options }, onEnd))
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
  { note, arrive, startChild, begin, commands, waits }: StartParts,
  workflow: string,
  options: ChildOptions,
): Promise<StartedChild> {
  return new Promise(resolve => {
    const ended = Promise.withResolvers<void>()
    const end = waits.add(() => ended.resolve())
    const start = waits.add(() => resolve({ result: () => ended.promise }))
    const completed: Job = {
      arrival: { kind: 'childCompleted' },
      events: 1,
      timeLineEvent: { kind: 'childCompleted', workflow },
      run: receiver => receiver.resume(end),
    }
    const started: Job = {
      arrival: { kind: 'childStarted' },
      events: 1,
      timeLineEvent: { kind: 'childStarted', workflow },
      run(receiver) {
        receiver.resume(start)
        arrive(completed)
      },
    }
    commands.add(() => {
      const args = toJson(options.args) as never
      note({ kind: 'childInitiated', workflow, summary: options.summary, args })
      begin(start, () => {
        startChild(workflow, { ...options, args })
        arrive(started)
        return { cancel: () => undefined }
      })
    })
  })
}

function isCancelled({ failure }: Extract<ActivityEnd, { failure: unknown }>): boolean {
  return failure.cause?.name === 'CancelledFailure'
}

function toTimeLineEvent(activity: string, end: ActivityEnd, attempts: number): TimeLineEvent {
  if (!('failure' in end)) return { kind: 'activityCompleted', activity, attempts, result: end.result }
  const { cause } = end.failure
  if (isCancelled(end)) return { kind: 'activityCanceled', activity }
  if (cause instanceof ApplicationFailure) return { kind: 'activityFailed', activity, attempts, code: toCode(cause) }
  return { kind: 'activityTimedOut', activity, attempts }
}
