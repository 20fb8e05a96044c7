import type { StateCode } from '#contract/terms'
import type { CommonStep, OnTimeout, Window } from '../../declaration/common.ts'
import type { PlannedCommon, PlannedWindow } from '../planned.ts'

/** Waits until shipments have reached states. Output: `ended`, which is `reached` or `timedOut`. */
export interface WaitStep extends CommonStep {
  /** The state that each role must have reached: this one, or one that can only follow it. */
  readonly wait: Readonly<Record<string, StateCode>>
  /** Null: the step has no deadline. */
  readonly window: Window
  /** Required with a window. */
  readonly onTimeout?: OnTimeout
  /** The policy when a locker of the flow goes out of service. Default: remind. */
  readonly onLockerOutOfService?: 'remind' | 'ask' | 'cancel'
  /** Roles that clean-up leaves, although they could be cancelled in this step. */
  readonly keep?: readonly string[]
}

export interface PlannedWait extends PlannedCommon {
  kind: 'wait'
  reached: Record<string, string>
  window: PlannedWindow
  onTimeout: OnTimeout | null
  onLockerOutOfService?: 'remind' | 'ask' | 'cancel'
  /** Something reads how it has ended, so it has an output. */
  tells?: true
}
