import type { Duration } from '#contract/terms'
import type { CommonStep, OnError } from '../../declaration/common.ts'
import type { Source } from '../../declaration/sources.ts'
import type { PlannedCommon } from '../planned.ts'

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

export interface PlannedCall extends PlannedCommon {
  kind: 'call'
  operation: string
  request: Source
  /** Roles whose shipments the service cancels with the one that the call cancels, since they are linked to it. */
  ends?: string[]
  keep?: string[]
  window: number
  onError?: OnError
}
