import type { TakenEdge } from './edges.ts'

/** The calls of flows to their worker. They are no events of a history. A type alias, since the SDK wants an index signature. */
export type CallbackSinks = {
  readonly callbacks: {
    /** The service has called back. */
    arrived(): void
  }
}

/** The calls of recorded flows to a replay. */
export type EdgeSinks = {
  readonly edges: {
    /** @param at milliseconds since 1970 */
    record(edge: TakenEdge, at: number): void
  }
}
