import type { TypedSearchAttributes } from '@temporalio/common'
import type { ActivityProxyOptions } from '@temporalio/workflow'
import type {
  AnswerResult,
  AnswerUpdate,
  BookingResult,
  CancelResult,
  Decision,
  FlowStatus,
  MoveClockUpdate,
  MovedClock,
  ShipmentStatus,
  StatusOptions,
  TakenEdge,
  WaitForBookingUpdate,
} from '#flows'

/**
 * Everything that the interpreter needs of Temporal. `temporal.ts` implements it with the SDK, and the simulator
 * over a virtual clock.
 */
export interface Runtime {
  /** Milliseconds since 1970: the time of the workflow task, the same in a replay. */
  now(): number
  /** Sets how far `now` is ahead of Temporal's clock, in milliseconds. Timers pass by Temporal's. */
  setAhead(milliseconds: number): void
  /** A random UUID, which does not change in a replay. */
  uuid(): string
  info(): RunInfo
  /** True after the Web UI's cancel button. */
  isCancelRequested(): boolean
  /** Starts work that the Web UI's cancel button does not interrupt, synchronously. */
  protect<Result>(work: () => Promise<Result>): Promise<Result>
  /** Resolves when the test holds. It is evaluated after the messages of each workflow task. */
  condition(test: () => boolean): Promise<void>
  /** Returns false if the condition is still false after `timeout` milliseconds. */
  conditionWithin(test: () => boolean, timeout: number, summary: string): Promise<boolean>
  sleep(length: number, summary: string): Promise<void>
  /** Calls `fire` after `length` milliseconds unless it is cancelled. */
  startTimer(length: number, summary: string, fire: () => void): Cancellable
  activity(name: string, args: readonly unknown[], options: NamedOptions): Promise<unknown>
  /** An activity that can be cancelled. Its promise resolves when its last attempt has ended. */
  startActivity(name: string, args: readonly unknown[], options: NamedOptions): StartedActivity
  /** Starts a workflow that outlives this one. Resolves when Temporal has started it. */
  startChild(workflowType: string, options: ChildOptions): Promise<StartedChild>
  /** Sets the handlers of the messages, which get the flow. */
  setHandlers<Flow>(flow: Flow, handlers: Handlers<Flow>): void
  allHandlersFinished(): boolean
  /** False in the replay of a task that an earlier build has run without the change. Its first use writes two events. */
  hasChange(id: string): boolean
  /** Sets the current details, in Markdown. They are rendered on request. The history does not record them. */
  setCurrentDetails(render: () => string): void
  /** Writes one event. */
  upsertSearchAttributes(attributes: readonly Attribute[]): void
  /** Notes in the worker that the service calls back. */
  noteCallback(): void
  /** Counts a step in the metrics of the worker, but not in a replay. The history does not record it. */
  countStep(step: string, outcome: StepOutcome): void
  /** Notes the way that the run takes from a step, for a simulator or a replay. Does nothing in production. */
  record(edge: TakenEdge): void
  /** Ends this run; the next one has these arguments. */
  continueAsNew(...args: readonly unknown[]): Promise<never>
}

/** The outcomes of steps that the metrics tell apart: few, since each is a time series for each step. */
export type StepOutcome = 'reached' | 'error' | 'overdue' | 'timedOut' | 'failed'

export interface RunInfo {
  readonly workflowId: string
  readonly workflowType: string
  readonly runId: string
  /** The run id before the resets of this run; the same as `runId` without one. */
  readonly originalExecutionRunId: string
  readonly firstExecutionRunId: string
  readonly continuedFromExecutionRunId?: string
  readonly startTime: Date
  readonly historyLength: number
  readonly continueAsNewSuggested: boolean
  readonly typedSearchAttributes: TypedSearchAttributes
}

/** Options with the summary that the Web UI shows. */
export type NamedOptions = ActivityProxyOptions & {
  readonly summary: string
  /** Waits for an outside party: on the task queue of the flow, it runs on the second one of the worker. */
  readonly outside?: boolean
}

export interface Cancellable {
  cancel(): void
}

export interface StartedActivity<Result = unknown> extends Cancellable {
  readonly result: Promise<Result>
}

export interface ChildOptions {
  readonly workflowId: string
  readonly args: readonly unknown[]
  /** Its place among `priorities`. The fairness key is that of the flow. */
  readonly priorityKey: number
  readonly summary: string
}

export interface StartedChild {
  result(): Promise<unknown>
}

export type Attribute =
  | { readonly key: { readonly name: string; readonly type: 'KEYWORD' }; readonly value: string | null }
  | { readonly key: { readonly name: string; readonly type: 'KEYWORD_LIST' }; readonly value: string[] | null }
  | { readonly key: { readonly name: string; readonly type: 'BOOL' }; readonly value: boolean | null }

/** The validator rejects an update by a failure. The history does not record a rejected update. */
export interface UpdateHandler<Flow, Argument, Result> {
  validate(flow: Flow, argument: Argument): void
  handle(flow: Flow, argument: Argument): Result | Promise<Result>
}

/** The messages of a flow. */
export interface Handlers<Flow> {
  status(flow: Flow, options?: StatusOptions | null): FlowStatus
  /** @param status undefined for a signal that cannot be decoded */
  shipmentStatus(flow: Flow, status: ShipmentStatus | undefined): void
  readonly updates: {
    readonly waitForBooking: UpdateHandler<Flow, WaitForBookingUpdate | undefined, BookingResult>
    readonly cancel: UpdateHandler<Flow, unknown, CancelResult>
    readonly decide: UpdateHandler<Flow, Decision, FlowStatus>
    readonly answer: UpdateHandler<Flow, AnswerUpdate, AnswerResult>
    readonly moveClock: UpdateHandler<Flow, MoveClockUpdate, MovedClock>
  }
}
