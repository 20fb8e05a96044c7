import type { Path, Source } from '../../declaration/sources.ts'
import type { BlockStep, PlannedBlockCommon } from '../block.ts'
import type { Until } from '../parallel/step.ts'

/** Runs its steps for each item of a list. Output: `items`, `completed`, `failed` and `errors`. */
export interface ForEachStep<Step> extends BlockStep {
  /** A list of the input or of an output. */
  readonly forEach: Path
  /** The first word of paths to the item. */
  readonly item: string
  /** A text field of the item, unique in the list. Absent: the place in the list, from 0. */
  readonly key?: string
  /** 1 to 50. The block fails with TooManyItems for a longer list, before its first effect. */
  readonly atMost: number
  /** The items that run at once; absent: all of them. */
  readonly atOnce?: number
  /** continue: an item that fails is undone, and the others go on. Default fail: all of them are undone. */
  readonly onItemError?: 'continue' | 'fail'
  readonly until?: Until
  readonly steps: readonly Step[]
  /** The fields of each item in the output. */
  readonly collect?: Readonly<Record<string, Source>>
}

export interface PlannedForEach extends PlannedBlockCommon {
  kind: 'forEach'
  /** The path of the list. */
  in: string
  item: string
  key?: string
  atMost: number
  atOnce: number
  onItemError: 'continue' | 'fail'
  until: 'all' | number
  collect: Readonly<Record<string, Source>>
}
