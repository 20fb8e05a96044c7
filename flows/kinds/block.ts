import type { CommonStep, OnError, OnTimeout, Window } from '../declaration/common.ts'
import type { PlannedCommon, PlannedWindow } from './planned.ts'

/** A step that has steps of its own. */
export interface BlockStep extends CommonStep {
  /** A deadline over all of its steps. Absent or null: none. */
  readonly window?: Window
  /** Required with a window. `goTo` and `cancel` undo the steps of the block first. */
  readonly onTimeout?: OnTimeout
  /** The policy for a code that no step inside of it has named, after its steps are undone. `other` is every other code. */
  readonly onError?: OnError
}

/** The steps of a plan are flat: those of a block come after it. */
export interface PlannedBlockCommon extends PlannedCommon {
  /** The index after its last step. */
  end: number
  window: PlannedWindow
  onTimeout: OnTimeout | null
  onError?: OnError
}

/** A list of steps of a block, by their indexes in the plan. */
export interface PlannedRange {
  readonly from: number
  /** The index after the last one. */
  readonly to: number
}
