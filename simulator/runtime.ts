import { ApplicationFailure, TemporalFailure } from '@temporalio/common'
import type { ShipmentStatus, TakenEdge } from '#flows'
import type {
  Attribute,
  Cancellable,
  ChildOptions,
  Handlers,
  NamedOptions,
  RunInfo,
  Runtime,
  StartedActivity,
  StartedChild,
} from '#workflows/runtime'
import { type ActivityEnd, toJson } from './activities.ts'
import type { Happening } from './timeLine.ts'

/** Something that has arrived for a flow: a message, or the end of something that it has started. */
export type Arrival =
  | { readonly kind: 'signal'; readonly argument: ShipmentStatus }
  | { readonly kind: 'update'; readonly name: UpdateName }
  | { readonly kind: 'activity'; readonly name: string; readonly result: unknown }
  | { readonly kind: 'timer'; readonly summary: string }
  | { readonly kind: 'childStarted' | 'childCompleted' | 'cancelRequested' }

export interface Job {
  readonly arrival: Arrival
  /** The events of the history that stand for it. */
  readonly events: number
  /** Absent for updates: they are written after the task, if they are accepted. */
  readonly happening?: Happening
  readonly run: () => void
}

export type UpdateName = keyof Handlers['updates']

/** The end of an update. */
export type UpdateEnd =
  | { readonly result: unknown }
  | { readonly failure: TemporalFailure; readonly isRejected: boolean }

/** Temporal's server, for the runs of one flow. */
export interface Server {
  now(): number
  uuid(): string
  note(happening: Happening): void
  record(edge: TakenEdge): void
  noteCallback(): void
  /** Brings a job to the flow, in its next task or in a later one. */
  arrive(job: Job): void
  startTimer(length: number, fire: () => void): Cancellable
  startActivity(
    activity: { readonly name: string; readonly args: readonly unknown[]; readonly options: NamedOptions },
    onEnd: (end: ActivityEnd, attempts: number) => void,
  ): Cancellable
  startChild(workflow: string, options: ChildOptions): void
}

export interface RuntimeParts extends Server {
  /** Changed by the flow, and passed on to its next run. */
  readonly attributes: Record<string, unknown>
  toInfo(historyLength: number): RunInfo
}

/** The error that ends a run which continues as new. */
export class ContinuedAsNew extends Error {}

interface Command {
  isDropped: boolean
  readonly events: number
  readonly isLast: boolean
  readonly send: () => void
}

/**
 * The runtime of one run. The commands of a task are sent after the task, as the SDK does: a timer that starts and is
 * cancelled in one task is in no history.
 */
export class SimulatedRuntime implements Runtime {
  readonly #parts: RuntimeParts
  #handlers: Handlers | undefined
  #info: RunInfo
  /** Events up to the current task: the run has started. */
  #events = 1
  #commands: Command[] = []
  #conditions: { readonly test: () => boolean; readonly resolve: () => void }[] = []
  #bufferedUpdates: (() => void)[] = []
  #updatesInProgress = 0
  #isCancelRequested = false
  #ahead = 0
  #renderDetails = () => ''
  /** The arguments of the next run. */
  next: readonly unknown[] | undefined

  constructor(parts: RuntimeParts) {
    this.#parts = parts
    this.#info = parts.toInfo(this.#events)
  }

  get handlers(): Handlers {
    if (this.#handlers === undefined) throw new Error('The flow has not started.')
    return this.#handlers
  }

  get details(): string {
    return this.#renderDetails()
  }

  beginTask(events: number): void {
    // The task is scheduled, and started.
    this.#events += events + 2
    this.#info = this.#parts.toInfo(this.#events)
  }

  /** Sends the commands of the task. Nothing follows the end of the run. */
  endTask(): void {
    this.#events++
    const commands = this.#commands.filter(({ isDropped }) => !isDropped)
    this.#commands = []
    for (const command of [...commands.filter(({ isLast }) => !isLast), ...commands.filter(({ isLast }) => isLast)]) {
      this.#events += command.events
      command.send()
    }
  }

  /** Resolves the conditions that hold, in the order in which they were made, until none does. Returns their number. */
  unblock(): number {
    let count = 0
    for (let before = -1; before !== count; ) {
      before = count
      this.#conditions = this.#conditions.filter(({ test, resolve }) => {
        if (!test()) return true
        resolve()
        count++
        return false
      })
    }
    return count
  }

  requestCancel(): void {
    this.#isCancelRequested = true
  }

  complete(happening: Happening): void {
    this.#command(() => this.#parts.note(happening), { isLast: true })
  }

  /** Validates an update and runs its handler, as soon as the flow has handlers. */
  update(name: UpdateName, argument: unknown, onEnd: (end: UpdateEnd) => void): void {
    if (this.#handlers === undefined) {
      this.#bufferedUpdates.push(() => this.update(name, argument, onEnd))
      return
    }
    const { note } = this.#parts
    const handler = this.#handlers.updates[name] as { validate(value: unknown): void; handle(value: unknown): unknown }
    try {
      handler.validate(argument)
    } catch (error) {
      if (!(error instanceof TemporalFailure)) throw error
      note({ kind: 'refused', update: name, code: toCode(error), message: error.message })
      onEnd({ failure: error, isRejected: true })
      return
    }
    this.#updatesInProgress++
    this.#command(() => note({ kind: 'updateAccepted', update: name, argument }))
    const complete = (end: UpdateEnd) => {
      this.#command(() => {
        const failure = 'failure' in end ? toCode(end.failure) : undefined
        const result = 'result' in end ? end.result : undefined
        note({ kind: 'updateCompleted', update: name, result, code: failure })
        onEnd(end)
      })
    }
    void (async () => await handler.handle(argument))()
      .then(result => complete({ result: toJson(result) }))
      .catch(error => {
        if (!(error instanceof TemporalFailure)) throw error
        complete({ failure: error, isRejected: false })
      })
      .finally(() => {
        this.#updatesInProgress--
      })
  }

  now(): number {
    return this.#parts.now() + this.#ahead
  }

  setAhead(milliseconds: number): void {
    this.#ahead = milliseconds
  }

  uuid(): string {
    return this.#parts.uuid()
  }

  info(): RunInfo {
    return this.#info
  }

  isCancelRequested(): boolean {
    return this.#isCancelRequested
  }

  protect<Result>(work: () => Promise<Result>): Promise<Result> {
    return work()
  }

  // As many microtasks as in the SDK: updates that end in the same task are written before what the flow does next.
  async condition(test: () => boolean): Promise<void> {
    await new Promise<void>(resolve => {
      if (test()) resolve()
      else this.#conditions.push({ test, resolve })
    })
  }

  async conditionWithin(test: () => boolean, timeout: number, summary: string): Promise<boolean> {
    let isOver = false
    const { promise: passed, resolve } = Promise.withResolvers<false>()
    const timer = this.startTimer(timeout, summary, () => {
      isOver = true
      resolve(false)
    })
    const holds = this.condition(() => isOver || test()).then(() => !isOver)
    const result = await Promise.race([passed, holds])
    if (result) timer.cancel()
    return result
  }

  sleep(length: number, summary: string): Promise<void> {
    return new Promise(resolve => void this.startTimer(length, summary, resolve))
  }

  startTimer(length: number, summary: string, fire: () => void): Cancellable {
    const { note, startTimer } = this.#parts
    const arrive = this.#arrive
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
    const command = this.#command(() => {
      note({ kind: 'timerStarted', summary, length })
      running = startTimer(length, () => {
        if (!isCancelled) arrive(ring)
      })
    })
    return {
      cancel: () => {
        if (isCancelled) return
        isCancelled = true
        // The SDK learns of it from the rejected promise of a scope.
        queueMicrotask(() => {
          if (running === undefined) command.isDropped = true
          else this.#command(() => note({ kind: 'timerCanceled', summary }))
          running?.cancel()
        })
      },
    }
  }

  activity(name: string, args: readonly unknown[], options: NamedOptions): Promise<unknown> {
    return this.startActivity(name, args, options).result
  }

  startActivity(name: string, args: readonly unknown[], options: NamedOptions): StartedActivity {
    const { note, startActivity } = this.#parts
    const arrive = this.#arrive
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const copied = toJson(args)
    let running: Cancellable | undefined
    let hasEnded = false
    this.#command(() => {
      note({ kind: 'activityScheduled', activity: name, summary: options.summary, args: copied })
      running = startActivity({ name, args: copied, options }, (end, attempts) => {
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
    return {
      result: promise,
      cancel: () => {
        queueMicrotask(() => {
          if (hasEnded) return
          this.#command(() => {
            note({ kind: 'activityCancelRequested', activity: name })
            running?.cancel()
          })
        })
      },
    }
  }

  startChild(workflow: string, options: ChildOptions): Promise<StartedChild> {
    const { note, startChild } = this.#parts
    const arrive = this.#arrive
    return new Promise(resolve => {
      this.#command(() => {
        const args = toJson(options.args) as never
        note({ kind: 'childInitiated', workflow, summary: options.summary, args })
        startChild(workflow, { ...options, args })
        const ended = Promise.withResolvers<void>()
        arrive({
          arrival: { kind: 'childStarted' },
          events: 1,
          happening: { kind: 'childStarted', workflow },
          run() {
            resolve({ result: () => ended.promise })
            arrive({
              arrival: { kind: 'childCompleted' },
              events: 1,
              happening: { kind: 'childCompleted', workflow },
              run: ended.resolve,
            })
          },
        })
      })
    })
  }

  setHandlers(handlers: Handlers): void {
    this.#handlers = handlers
    for (const update of this.#bufferedUpdates.splice(0)) update()
  }

  allHandlersFinished(): boolean {
    return this.#updatesInProgress === 0
  }

  setCurrentDetails(render: () => string): void {
    this.#renderDetails = render
  }

  upsertSearchAttributes(attributes: readonly Attribute[]): void {
    const changed = Object.fromEntries(attributes.map(({ key, value }) => [key.name, value]))
    Object.assign(this.#parts.attributes, changed)
    this.#command(() => this.#parts.note({ kind: 'attributes', changed }))
  }

  noteCallback(): void {
    this.#parts.noteCallback()
  }

  countStep(): void {}

  record(edge: TakenEdge): void {
    this.#parts.record(edge)
  }

  continueAsNew(...args: readonly unknown[]): Promise<never> {
    this.#command(
      () => {
        this.next = toJson(args)
        this.#parts.note({ kind: 'continuedAsNew' })
      },
      { isLast: true },
    )
    return Promise.reject(new ContinuedAsNew())
  }

  /** Nothing of a run reaches the next one. */
  readonly #arrive = (job: Job): void => {
    if (this.next === undefined) this.#parts.arrive(job)
  }

  #command(send: () => void, { isLast = false } = {}): Command {
    const command = { isDropped: false, events: 1, isLast, send }
    this.#commands.push(command)
    return command
  }
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

export function toCode(failure: Error): string {
  return failure instanceof ApplicationFailure && failure.type ? failure.type : failure.name
}
