/** The header of Temporal's interceptors in all languages: a trace context as JSON. */
export const traceHeader = '_tracer-data'

/** The ids of a run's span, which workflow and activities derive alike: a random id in a workflow would change its replay. */
export function runSpanIds(runId: string): { readonly traceId: string; readonly spanId: string } {
  const traceId = runId.replaceAll('-', '')
  // The last digits of a run id are random, the first ones can be a time.
  return { traceId, spanId: traceId.slice(16) }
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
