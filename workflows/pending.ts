import type { Booking } from '#activities/interface'
import type { Json } from '#flows'
import type { FailureText } from './progress.ts'
import type { Cancellable, StartedActivity } from './runtime.ts'
import type { Token } from './tokens.ts'

/** The end of the work of a step, or of the undo of scopes. */
export type Outcome = WorkOutcome | { readonly kind: 'undone' }

/** The end of the work of a step. */
export type WorkOutcome =
  /** Null: the step has no output. */
  | { readonly kind: 'done'; readonly output: Json | null }
  | {
      readonly kind: 'failed'
      readonly failure: FailureText
      /** A business error, or a failure that a retry cannot change. The declaration may name the next step for it. */
      readonly refused: boolean
      /** The work certainly had no effect. */
      readonly certain: boolean
    }
  /** It was stopped with the flow, and has no result. */
  | { readonly kind: 'stopped'; readonly certain: boolean }

/** The end of an attempt to book. `outcomeUnknown`: it may have booked without a response. */
export type Attempt = { readonly bookings: Booking[] } | FailedAttempt

export type FailedAttempt =
  | { readonly refusal: FailureText; readonly outcomeUnknown: boolean }
  | {
      readonly fault: string
      readonly outcomeUnknown: boolean
      /** Milliseconds that the service asked to wait; undefined if it asked for none. */
      readonly pause?: number | undefined
    }

/** The work of a step. The main loop starts it and goes on waiting for messages and timers. */
export interface Pending {
  readonly token: Token
  /** Index of the step. */
  readonly step: number
  /** It undoes scopes of the token, and cannot be stopped. */
  readonly undoes?: true
  /** The scope ends: the work has to stop, and its end is awaited. */
  stopRequested: boolean
  /** Cancels the activity that is running. */
  cancel: () => void
  outcome: Outcome | undefined
}

/** The activity that resolves a moment by a calendar: the end of a step, or the next round of a loop. */
export interface Resolving {
  readonly token: Token
  readonly activity: Cancellable
  /** A retry cannot change it, so the step cannot go on. */
  failure: FailureText | undefined
}

export function createPending(token: Token, undoes?: true): Pending {
  return {
    token,
    step: token.step,
    ...(undoes && { undoes }),
    stopRequested: false,
    cancel: () => undefined,
    outcome: undefined,
  }
}

export function stop(pending: Pending): void {
  pending.stopRequested = true
  pending.cancel()
}

/** Makes an activity cancellable by `stop`; returns its promise. */
export function track<Result>(pending: Pending, { result, cancel }: StartedActivity<Result>): Promise<Result> {
  pending.cancel = cancel
  if (pending.stopRequested) cancel()
  return result
}
