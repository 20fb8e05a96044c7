import type { Duration } from '#contract/terms'
import type { Path, When } from './sources.ts'

/** The policy for an expired window: a reminder, a person's decision, the end of the flow, or a later step, or `end`. */
export type OnTimeout = 'remind' | 'ask' | 'cancel' | GoTo

/** A later step, or `end`. Steps between are left out. */
export interface GoTo {
  readonly goTo: string
}

/** The policy for a business error of the service or a non-retryable failure of an activity, by code. Absent: fail. */
export type OnError = Readonly<Record<string, 'continue' | 'fail' | GoTo>>

export interface CommonStep {
  /** Unique in the flow, with the steps of its blocks. */
  readonly name: string
  /** Shown in the Web UI: the action that the flow waits for, or the state that the step brings about. */
  readonly summary: string
  /** The step is left out if this is false when the flow comes to it. */
  readonly when?: When
  /**
   * A left-over for a person, if the flow is cancelled, expires or fails after this step, or in it after work whose outcome
   * is unknown.
   */
  readonly leaves?: Leaves
}

/** A sentence, or one that is true until a later step is complete. */
export type Leaves = string | { readonly text: string; readonly until: string }

/** The length of a wait, or the moment of its end. */
export type Window = Duration | PointInTime | null

export type PointInTime = FieldPoint | WorkingTimePoint | ClockPoint

/** A moment in a field of the input or of an output, or a time before or after it. Types: `instant` or `date` (00:00 UTC). */
export interface FieldPoint {
  readonly at: Path
  readonly before?: Duration
  readonly after?: Duration
}

/** The time at which this much working time has passed, by the calendar of the pick up point. */
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
