import type { Link, ServiceProfile } from '#contract/terms'
import type { Fields } from './declaration/fields.ts'
import type { Outputs } from './declaration/flow.ts'
import type { Json, Source, When } from './declaration/sources.ts'
import type { CompletingUpdate, GoTo, OnTimeout } from './declaration/steps.ts'
import type { FlowInput } from './types.ts'

/**
 * Everything that a run depends on. Its first activity records it in the history. Durations are in milliseconds, moments
 * of the input in milliseconds since 1970. Steps whose condition reads the input only, and is false, are left out.
 */
export interface FlowPlan {
  /** The version of this form. A worker fails the workflow task of a newer one, not the flow. */
  version: 2
  flow: string
  summary: string
  caseNo: string
  /** SHA-256 of the request of the input. */
  fingerprint: string
  /** Fields of the input that conditions, sources and moments of later steps read; no more, since each flow keeps it. */
  input: Record<string, Json>
  steps: PlannedStep[]
  outputs: Outputs
  profile: ServiceProfile
  /** The states that can follow each state, over any number of steps; empty in a flow that books nothing. */
  reachable: Record<string, string[]>
  polls: PollInterval
  /** The time that a create without a response may take to reach the service. */
  createDelay: number
  pickUpPoint: string | null
  user: string | null
  /** Absent in a flow that sends none. */
  notifications?: PlannedNotifications
  /** The flow adopts an existing booking. */
  adopt?: true
  /** Staging only: the flow accepts `moveClock`, and starts this far ahead of Temporal's clock, in milliseconds. */
  clock?: { ahead: number }
  /** Staging only: the windows are those of the declaration times this factor. */
  windowFactor?: number
}

/** The interval between polls of a waiting flow, in milliseconds. It doubles from the initial to the maximum one. */
export interface PollInterval {
  initial: number
  maximum: number
  /** The first interval until a callback of the flow has arrived. Absent where callbacks are known to arrive. */
  untilCallback?: number
}

/** The delivery of notifications. Their address is a setting of the worker and in no history. */
export interface PlannedNotifications {
  /** How long a receiver may be unreachable, in milliseconds. */
  deliveryTimeout: number
  /** The number of undelivered notifications beyond which only the end of the flow is sent. */
  maxUndelivered: number
}

export interface PlanFlowInput {
  flow: string
  workflowId: string
  input: FlowInput
}

export type PlannedStep = PlannedBook | PlannedWait | PlannedAsk | PlannedCall | PlannedRun | PlannedSleep

interface PlannedCommon {
  name: string
  summary: string
  /** The part of the condition that the input alone does not decide. */
  when?: When
  leaves?: string
  /** The index of the step in the declaration; absent where it is that of the plan. */
  declared?: number
  /** Roles that clean-up may cancel in this step, by the machines. */
  cancels: string[]
  /** Roles that hold no item on some ways to this step only: clean-up reads them first. Absent: none. */
  mayCancel?: string[]
}

/** A later step of the plan, or `end`. */
export interface PlannedGoTo extends GoTo {
  /** Its place in the plan; absent for the next step of this name. */
  readonly index?: number
}

export type PlannedOnTimeout = Exclude<OnTimeout, GoTo> | PlannedGoTo
export type PlannedOnError = Readonly<Record<string, 'continue' | 'fail' | PlannedGoTo>>

export interface PlannedBook extends PlannedCommon {
  kind: 'book'
  operation: string
  /** `{ value }` once it is resolved and checked. */
  request: Source
  /** In the order of the operation's response, with the names of this flow. */
  roles: PlannedRole[]
  window: number
  onError?: PlannedOnError
}

/** A resolved role. */
export interface PlannedRole {
  name: string
  /** The state after the booking. */
  initialState: string
  /** It existed before the flow. */
  existing: boolean
  link: { by: Link; to: string } | null
}

export interface PlannedWait extends PlannedCommon {
  kind: 'wait'
  reached: Record<string, string>
  window: PlannedWindow
  onTimeout: PlannedOnTimeout | null
  onLockerOutOfService?: 'remind' | 'ask' | 'cancel'
  completedBy?: CompletingUpdate
}

export interface PlannedAsk extends PlannedCommon {
  kind: 'ask'
  answers: Record<string, Fields>
  who: string
  window: PlannedWindow
  onTimeout: PlannedOnTimeout | null
}

export interface PlannedCall extends PlannedCommon {
  kind: 'call'
  operation: string
  request: Source
  /** Roles whose shipments the service cancels with the one that the call cancels, since they are linked to it (D-444). */
  ends?: string[]
  keep?: string[]
  window: number
  onError?: PlannedOnError
}

export interface PlannedRun extends PlannedCommon {
  kind: 'run'
  activity: string
  with: Source
  keep: Fields
  undo: string | { leaves: string } | 'nothing'
  timeout: number
  window: number
  heartbeat?: number
  retry: { initialInterval?: number; maximumInterval?: number; backoffCoefficient?: number; maximumAttempts?: number }
  taskQueue?: string
  onError?: PlannedOnError
}

export interface PlannedSleep extends PlannedCommon {
  kind: 'sleep'
  until: PlannedWindow
}

/**
 * A length, a moment of the input, a moment of an output (`at`, and an offset to it), or a moment by a calendar; null: none.
 */
export type PlannedWindow =
  | { length: number }
  | { moment: number }
  | { at: string; offset: number }
  | CalendarWindow
  | null

/** An activity resolves it when the flow enters the step, so that its answer is in the history (D-340). */
export interface CalendarWindow {
  calendar: CalendarRule
  /** A path of an output, or milliseconds since 1970 of a moment of the input; absent: the start of the step. */
  from?: string | number
}

/** Milliseconds of working time, or the next time of the local clock. */
export type CalendarRule = { workingTime: number } | { next: string; workingDay?: true }

/** The second argument of an own activity, and of the activity that undoes it. */
export interface RunCall {
  flow: string
  caseNo: string
  step: string
  /** All attempts share it, and no other step or run of the case has it. */
  key: string
}

/** The first argument of an activity that undoes a run step: it must accept that nothing was done. */
export interface UndoRun<Output = unknown> {
  /** The first argument of the run. */
  input: Json
  /** The fields of `keep`; null without a result. */
  output: Output | null
  /** True: the run returned this result. False: it was started, and its outcome is unknown. */
  certain: boolean
}
