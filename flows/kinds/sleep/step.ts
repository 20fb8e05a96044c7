import type { Duration } from '#contract/terms'
import type { CommonStep, PointInTime } from '../../declaration/common.ts'
import type { PlannedCommon, PlannedWindow } from '../planned.ts'

/** Waits for a duration, or until a point in time. */
export interface SleepStep extends CommonStep {
  readonly sleep: Duration | { readonly until: PointInTime }
}

export interface PlannedSleep extends PlannedCommon {
  kind: 'sleep'
  until: PlannedWindow
}
