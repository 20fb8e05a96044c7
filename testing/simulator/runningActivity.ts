import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  type Duration,
  RetryState,
  TimeoutFailure,
  TimeoutType,
} from '@temporalio/common'
import { parseDuration } from '#flows'
import type { NamedOptions } from '#workflows/runtime'
import type { Cancellable, VirtualClock } from './clock.ts'
import { type ActivityEnd, toJson } from './server.ts'

/** One attempt of an activity. @throws ApplicationFailure when it fails; any other error is a defect. */
export type Attempt = (attempt: number) => Promise<unknown>

export interface ActivityWork {
  readonly name: string
  readonly id: string
  readonly options: NamedOptions
  /** Milliseconds that an attempt takes. */
  readonly takes: number
  readonly attempt: Attempt
  readonly onEnd: (end: ActivityEnd, attempts: number) => void
}

/** An activity between its start and its end, with the retries of Temporal's server. */
export class RunningActivity {
  readonly #clock: VirtualClock
  readonly #work: ActivityWork
  readonly #enqueue: (run: () => Promise<void>) => void
  readonly #expiresAt: number
  #attempt = 1
  #wait: Cancellable | undefined
  #isRunning = false
  #isCancelled = false
  #hasEnded = false

  constructor(clock: VirtualClock, work: ActivityWork, enqueue: (run: () => Promise<void>) => void) {
    this.#clock = clock
    this.#work = work
    this.#enqueue = enqueue
    this.#expiresAt = clock.now() + (milliseconds(work.options.scheduleToCloseTimeout) ?? Number.POSITIVE_INFINITY)
  }

  begin(): void {
    const { takes, options } = this.#work
    this.#isRunning = true
    const limit = milliseconds(options.startToCloseTimeout) ?? Number.POSITIVE_INFINITY
    const end = this.#clock.now() + Math.min(takes, limit)
    if (end >= this.#expiresAt) this.#waitUntil(this.#expiresAt, () => this.#timeOut(TimeoutType.SCHEDULE_TO_CLOSE))
    else if (takes > limit) this.#waitUntil(end, () => this.#timeOut(TimeoutType.START_TO_CLOSE))
    else if (takes > 0) this.#waitUntil(end, () => this.#enqueue(() => this.#run()))
    else this.#enqueue(() => this.#run())
  }

  /** Loses the worker. The server notices it by the heartbeat, or by the time limit of the attempt. */
  loseWorker(): void {
    if (this.#hasEnded || !this.#isRunning) return
    const { heartbeatTimeout, startToCloseTimeout } = this.#work.options
    const limit = milliseconds(heartbeatTimeout) ?? milliseconds(startToCloseTimeout) ?? 0
    this.#waitUntil(Math.min(this.#clock.now() + limit, this.#expiresAt), () => this.#timeOut(TimeoutType.HEARTBEAT))
  }

  /** Stops the retries, and an attempt with a heartbeat. Any other attempt never learns of the cancellation. */
  cancel(): void {
    if (this.#hasEnded || this.#isCancelled) return
    this.#isCancelled = true
    const isRunning = this.#isRunning
    const { heartbeatTimeout, cancellationType } = this.#work.options
    const isAwaited = cancellationType === 'WAIT_CANCELLATION_COMPLETED'
    if (isRunning && isAwaited && heartbeatTimeout === undefined) return
    this.#wait?.cancel()
    this.#enqueue(async () => {
      const failure = isRunning ? await this.#findFailure() : undefined
      this.#fail(failure ?? new CancelledFailure('Activity cancelled'), RetryState.CANCEL_REQUESTED)
    })
  }

  async #run(): Promise<void> {
    if (this.#hasEnded) return
    try {
      const result = await this.#work.attempt(this.#attempt)
      this.#end({ result: toJson(result) })
    } catch (error) {
      if (!(error instanceof ApplicationFailure)) throw error
      this.#retry(error)
    }
  }

  /** The failure of the attempt that was stopped; undefined if it ends as cancelled. */
  async #findFailure(): Promise<ApplicationFailure | undefined> {
    try {
      await this.#work.attempt(this.#attempt)
      return undefined
    } catch (error) {
      if (error instanceof ApplicationFailure) return error
      throw error
    }
  }

  #timeOut(type: TimeoutType): void {
    this.#retry(new TimeoutFailure('activity timed out', undefined, type))
  }

  #retry(failure: ApplicationFailure | TimeoutFailure): void {
    this.#isRunning = false
    const next = this.#clock.now() + toBackoff(this.#work.options, this.#attempt, failure)
    const end = this.#endAfter(failure, next)
    if (end !== undefined) {
      this.#fail(failure, end)
      return
    }
    this.#attempt++
    this.#waitUntil(next, () => this.begin())
  }

  /** The reason for which no attempt follows; undefined if one does. */
  #endAfter(failure: ApplicationFailure | TimeoutFailure, next: number): RetryState | undefined {
    const { maximumAttempts = Number.POSITIVE_INFINITY } = this.#work.options.retry ?? {}
    if (failure instanceof ApplicationFailure && failure.nonRetryable) return RetryState.NON_RETRYABLE_FAILURE
    if (this.#isCancelled) return RetryState.CANCEL_REQUESTED
    if (this.#attempt >= maximumAttempts) return RetryState.MAXIMUM_ATTEMPTS_REACHED
    return next >= this.#expiresAt ? RetryState.TIMEOUT : undefined
  }

  #waitUntil(moment: number, go: () => void): void {
    this.#wait?.cancel()
    this.#wait = this.#clock.at(moment, go)
  }

  #fail(cause: Error, retryState: RetryState): void {
    const { name, id } = this.#work
    this.#end({ failure: new ActivityFailure('Activity task failed', name, id, retryState, 'simulator', cause) })
  }

  #end(end: ActivityEnd): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#isRunning = false
    this.#wait?.cancel()
    this.#work.onEnd(end, this.#attempt)
  }
}

/** The milliseconds between a failed attempt and the next one, as Temporal's server computes them. */
function toBackoff({ retry = {} }: NamedOptions, attempt: number, failure: Error): number {
  if (
    failure instanceof ApplicationFailure &&
    failure.nextRetryDelay !== undefined &&
    failure.nextRetryDelay !== null
  ) {
    return milliseconds(failure.nextRetryDelay) ?? 0
  }
  const initial = milliseconds(retry.initialInterval) ?? 1_000
  const maximum = milliseconds(retry.maximumInterval) ?? 100 * initial
  return Math.min(initial * (retry.backoffCoefficient ?? 2) ** (attempt - 1), maximum)
}

/** Undefined for an absent duration, and for a text that is not a duration. */
function milliseconds(duration: Duration | undefined): number | undefined {
  return typeof duration === 'string' ? parseDuration(duration) : duration
}
