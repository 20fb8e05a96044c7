import type { Duration } from '#contract/terms'
import type { CommonStep, OnError } from '../../declaration/common.ts'
import type { Fields } from '../../declaration/fields.ts'
import type { Json, Source } from '../../declaration/sources.ts'
import type { PlannedCommon } from '../planned.ts'

/** Runs one of the team's own activities. Output: the fields of its result that `keep` names. */
export interface RunStep extends CommonStep {
  /** The name of the activity. */
  readonly run: string
  /** Its first argument. */
  readonly with: Source
  /** The fields of its result; checked, whatever its language. */
  readonly keep: Fields
  /** An activity that undoes it, a left-over for a person (until a later step is complete), or nothing. */
  readonly undo: string | { readonly leaves: string; readonly until?: string } | 'nothing'
  /** Maximum duration of one attempt. */
  readonly timeout: Duration
  /** How long attempts are retried before the step fails. Default: one timeout and 1h. */
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

export interface PlannedRun extends PlannedCommon {
  kind: 'run'
  activity: string
  with: Source
  keep: Fields
  /** `until`: the index of the step after which the sentence is no longer true. */
  undo: string | { leaves: string; until?: number } | 'nothing'
  timeout: number
  window: number
  heartbeat?: number
  retry: { initialInterval?: number; maximumInterval?: number; backoffCoefficient?: number; maximumAttempts?: number }
  taskQueue?: string
  onError?: OnError
}

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
