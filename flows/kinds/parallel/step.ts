import type { BlockStep, PlannedBlockCommon, PlannedRange } from '../block.ts'

/** Runs branches beside each other. Output: `first`, the name of the branch that ended first. */
export interface ParallelStep<Step> extends BlockStep {
  readonly parallel: readonly Branch<Step>[]
  readonly until?: Until
}

export interface Branch<Step> {
  /** Unique in the block. */
  readonly name: string
  readonly steps: readonly Step[]
}

/** How many branches or items end a block: all (default), the first one, or a number. The others are undone. */
export type Until = 'all' | 'first' | { readonly atLeast: number }

export interface PlannedParallel extends PlannedBlockCommon {
  kind: 'parallel'
  branches: readonly (PlannedRange & { readonly name: string })[]
  /** The number of branches that end it. */
  until: 'all' | number
}
