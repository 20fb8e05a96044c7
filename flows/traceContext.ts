/** The header of Temporal's interceptors in all languages: a trace context as JSON. */
export const traceHeader = '_tracer-data'

/** The ids of a run's span, which workflow and activities derive alike: a random id in a workflow would change its replay. */
export function runSpanIds(runId: string): { readonly traceId: string; readonly spanId: string } {
  const traceId = runId.replaceAll('-', '')
  // The last digits of a run id are random, the first ones can be a time.
  return { traceId, spanId: traceId.slice(16) }
}
