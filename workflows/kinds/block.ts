import type { Cause, Json, PlannedBlock } from '#flows'
import type { FailureText, FlowProgress } from '../progress.ts'
import type { BlockProgress, Token } from '../tokens.ts'

/** A list of steps that begins: a branch, an item, a round, a case or a group. */
export interface NewScope {
  /** The id of its token. */
  readonly id: string
  /** The index of its first step. */
  readonly from: number
  /** The index after its last step. */
  readonly to: number
  readonly cause: Cause
}

/** What a block does now. */
export type Move =
  | { readonly start: readonly NewScope[] }
  /** It has ended. Its scopes that still run are undone first. */
  | { readonly leave: Cause; readonly drop?: readonly string[] }
  | { readonly fail: FailureText }
  /** @property until milliseconds since 1970; null: until a list ends */
  | { readonly until: number | null }

export interface BlockKind<Block extends PlannedBlock> {
  /** Notes what it begins with. */
  enter?(progress: FlowProgress, token: Token, step: Block): void
  move(progress: FlowProgress, token: Token & { readonly block: BlockProgress }, step: Block, now: number): Move
  /** Its output. Absent: none. */
  output?(block: BlockProgress, cause: Cause): Json
}

export const waits: Move = { until: null }
