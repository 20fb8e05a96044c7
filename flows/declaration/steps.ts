import type { Duration, StateCode } from '#contract/terms'
import type { BookingOperation } from '../bookings.ts'
import type { Fields } from './fields.ts'
import type { Path, Source, When } from './sources.ts'

/** One step of a flow. Its kind is its key: exactly one of `book`, `wait`, `ask`, `call`, `run` and `sleep`. */
export type Step = BookStep | WaitStep | AskStep | CallStep | RunStep | SleepStep

export type StepKind = 'book' | 'wait' | 'ask' | 'call' | 'run' | 'sleep'

/** The policy for a passed window: a reminder, a person's decision, the end of the flow, or a later step, or `end`. */
export type OnTimeout = 'remind' | 'ask' | 'cancel' | GoTo

/** A later step, or `end`. Steps between are left out. */
export interface GoTo {
  readonly goTo: string
}

/** The policy for a business error of the service or a non-retryable failure of an activity, by code. Absent: fail. */
export type OnError = Readonly<Record<string, 'continue' | 'fail' | GoTo>>

interface CommonStep {
  /** Unique in the flow, except for steps whose conditions exclude each other. */
  readonly name: string
  /** Shown in the Web UI: the action that the flow waits for, or the state that the step brings about. */
  readonly summary: string
  /** The step is left out if this is false when the flow comes to it. */
  readonly when?: When
  /**
   * A left-over for a person, if the flow is cancelled, expires or fails after this step, or in it after work whose outcome
   * is unknown.
   */
  readonly leaves?: string
}

/** Books shipments with one create operation. The operation's roles are in `bookings`. */
export interface BookStep extends CommonStep {
  readonly book: BookingOperation
  /** Absent: the flow's input, for the first step that books or calls. */
  readonly request?: Source
  /** Other names for roles, for a flow that books twice. */
  readonly as?: Readonly<Record<string, string>>
  /** How long faults are retried before the booking fails. Default 1h, at most 12h: services forget keys after a day. */
  readonly window?: Duration
  readonly onError?: OnError
}

/** Waits until shipments have reached states. */
export interface WaitStep extends CommonStep {
  /** The state that each role must have reached: this one, or one that can only follow it. */
  readonly wait: Readonly<Record<string, StateCode>>
  /** Null: the step has no deadline. */
  readonly window: Window
  /** Required with a window. */
  readonly onTimeout?: OnTimeout
  /** The policy when a locker of the flow goes out of service. Default: remind. */
  readonly onLockerOutOfService?: 'remind' | 'ask' | 'cancel'
  readonly completedBy?: CompletingUpdate
  /** Roles that clean-up leaves, although they could be cancelled in this step. */
  readonly keep?: readonly string[]
}

/** An update that completes a wait step, and the role of its shipment. */
export interface CompletingUpdate {
  /**
   * - assignReceiver: sets the user who collects the shipment; allowed from the booking until the step is complete.
   * - release: cancels the shipment and completes the flow.
   */
  readonly update: 'assignReceiver' | 'release'
  readonly role: string
}

/** A person or another program answers with the update `answer`. Output: `answer`, and the fields of the answer. */
export interface AskStep extends CommonStep {
  /** The answers that are allowed, with the fields of each. */
  readonly ask: Readonly<Record<string, Fields>>
  /** Who answers, as shown in the current details and in notifications; the flow API checks it. */
  readonly who: string
  readonly window: Window
  /** Required with a window. */
  readonly onTimeout?: OnTimeout
}

/** Calls one operation that books nothing. Output: the fields of its response, and `error` after a tolerated refusal. */
export interface CallStep extends CommonStep {
  readonly call: string
  /** Absent: the flow's input, for the first step that books or calls. */
  readonly request?: Source
  /** Fields of the response that become outputs; absent: all of them. */
  readonly keep?: readonly string[]
  /** How long faults are retried before the step fails. Default 1h. */
  readonly window?: Duration
  readonly onError?: OnError
}

/** Runs one of the team's own activities. Output: the fields of its result that `keep` names. */
export interface RunStep extends CommonStep {
  /** The name of the activity. */
  readonly run: string
  /** Its first argument. */
  readonly with: Source
  /** The fields of its result; checked, whatever its language. */
  readonly keep: Fields
  /** An activity that undoes it, a left-over for a person, or nothing. */
  readonly undo: string | { readonly leaves: string } | 'nothing'
  /** Maximum duration of one attempt. */
  readonly timeout: Duration
  /** How long attempts are repeated before the step fails. Default: one timeout and 1h. */
  readonly window?: Duration
  /** Maximum time between two heartbeats of an attempt. */
  readonly heartbeat?: Duration
  /** standard (default): from 250 ms, doubled up to 30 s, until the window has passed; once: one attempt. */
  readonly retry?: 'standard' | 'once' | StepRetryPolicy
  /** Default: the queue of the flows. */
  readonly taskQueue?: string
  readonly onError?: OnError
}

export interface StepRetryPolicy {
  readonly initialInterval?: Duration
  readonly maximumInterval?: Duration
  readonly backoffCoefficient?: number
  readonly maximumAttempts?: number
}

/** Waits for a time, or until a moment. */
export interface SleepStep extends CommonStep {
  readonly sleep: Duration | { readonly until: PointInTime }
}

/** The length of a wait, or the moment of its end. */
export type Window = Duration | PointInTime | null

export type PointInTime = FieldPoint | WorkingTimePoint | ClockPoint

/** A moment in a field of the input or of an output, or a time before or after it. Types: `instant` or `date` (00:00 UTC). */
export interface FieldPoint {
  readonly at: Path
  readonly before?: Duration
  readonly after?: Duration
}

/** The moment at which so much working time has passed, by the calendar of the pick up point. */
export interface WorkingTimePoint {
  /** Hours, minutes or seconds: a working day has no length of its own. */
  readonly workingTime: Duration
  /** A moment in a field. Default: the start of the step. */
  readonly from?: Path
}

/** The next moment at which the clocks at the pick up point show this time. */
export interface ClockPoint {
  /** `09:00` */
  readonly next: `${number}:${number}`
  /** Only on a day with working hours, by the calendar of the pick up point. */
  readonly workingDay?: true
  /** A moment in a field. Default: the start of the step. */
  readonly from?: Path
}
