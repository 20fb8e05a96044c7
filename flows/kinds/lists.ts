import type { When } from '../declaration/sources.ts'
import type { PlannedRange } from './block.ts'

/** A list of steps in a declared block. */
export interface DeclaredList<Step> {
  readonly steps: readonly Step[]
  /** The name of a branch. */
  readonly name?: string
  /** The condition of a case. */
  readonly when?: When
}

/** A list of a block in a plan: those that the input rules out are left out. */
export interface PlannedList extends PlannedRange {
  readonly name?: string
  /** The part of the condition that the input does not decide. */
  readonly when?: When
  /** Its place in the declaration. */
  readonly declared: number
}
