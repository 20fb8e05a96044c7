import type { BlockStep, PlannedBlockCommon } from '../block.ts'

/** Runs its steps one after the other, with one deadline and one policy for errors. */
export interface GroupStep<Step> extends BlockStep {
  readonly group: readonly Step[]
}

export interface PlannedGroup extends PlannedBlockCommon {
  kind: 'group'
}
