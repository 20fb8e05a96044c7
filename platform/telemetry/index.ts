// OpenTelemetry of a process: started from its OTEL_ variables, and not even loaded without them.
// Imported by the processes, and by the parts that record spans.
export { traceApiCall } from './apiCalls.ts'
export { readTelemetry, type TelemetrySettings } from './environment.ts'
export { startTelemetry, type Telemetry } from './start.ts'
export { type OpenSpan, type SpanKind, type SpanOptions, type Tracing, tracing } from './tracing.ts'
export { telemetryVariables } from './variables.ts'
