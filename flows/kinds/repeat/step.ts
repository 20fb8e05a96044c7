import type { Duration } from '#contract/terms'
import type { ClockPoint, WorkingTimePoint } from '../../declaration/common.ts'
import type { When } from '../../declaration/sources.ts'
import type { BlockStep, PlannedBlockCommon } from '../block.ts'
import type { PlannedWindow } from '../planned.ts'

/** Repeats its steps. Output: `rounds` and `ended`; inside of it `round`, from 1. */
export interface RepeatStep<Step> extends BlockStep {
  readonly repeat: {
    /** 1 to 100 rounds. */
    readonly atMost: number
    /** The time from the start of a round to that of the next one. Absent: none. */
    readonly every?: Duration | ClockPoint | WorkingTimePoint
  }
  /** Read after each round: true ends the block. */
  readonly until?: When
  readonly steps: readonly Step[]
}

export interface PlannedRepeat extends PlannedBlockCommon {
  kind: 'repeat'
  atMost: number
  every: PlannedWindow
  until?: When
}
