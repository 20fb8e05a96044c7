import type { When } from '../../declaration/sources.ts'
import type { BlockStep, PlannedBlockCommon, PlannedRange } from '../block.ts'

/** Runs the first case that holds; none if none holds. */
export interface SwitchStep<Step> extends BlockStep {
  readonly switch: readonly Case<Step>[]
}

export interface Case<Step> {
  /** Absent: it always holds. */
  readonly when?: When
  readonly steps: readonly Step[]
}

export interface PlannedSwitch extends PlannedBlockCommon {
  kind: 'switch'
  /** `declared`: the place of the case in the declaration, where it is not that of the plan. */
  cases: readonly (PlannedRange & { readonly when?: When; readonly declared?: number })[]
}
