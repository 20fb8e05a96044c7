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

/** A span of a flow, for its worker to record. */
export interface FlowSpan {
  readonly name: string
  /** The trace context that continues in the span. Without it the span belongs to the trace of the run. */
  readonly parent: Readonly<Record<string, string>> | undefined
  /** Milliseconds since 1970. */
  readonly startTime: number
  /** True for the one span of a run that its activities continue. */
  readonly isRun: boolean
}

/** The calls of traced flows to their worker. */
export type SpanSinks = {
  readonly spans: {
    record(span: FlowSpan): void
  }
}
