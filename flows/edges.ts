/** The reasons for which a flow leaves a step, or waits on in it after its window has passed. */
export type Cause =
  | 'reached'
  | 'skipped'
  | `answer:${string}`
  | `error:${string}`
  | 'remind'
  | 'ask.extend'
  | 'ask.keepWaiting'
  | 'ask.cancel'
  | 'timeout.cancel'
  | 'timeout.goTo'
  | 'cancel'
  | 'cancelledOutside'
  | 'fork'
  | 'joined'
  | `first:${string}`
  | 'item'
  | 'again'
  | 'until'
  | 'atMost'
  | `case:${number | 'none'}`

/** A way from one step of a declaration to another, or to `end`. */
export interface Edge {
  readonly step: string
  readonly cause: Cause
  readonly next: string
}

/**
 * A step of the path that a run took, by the indexes of the steps in its declaration. A plan leaves steps out whose condition
 * reads the input only, so `next` can come after them. Null for the end of the flow, `done` for that of a list in a block.
 */
export interface TakenEdge {
  readonly step: number
  readonly cause: Cause
  /** The name of the branch that begins. */
  readonly branch?: string
  readonly next: number | 'done' | null
}
