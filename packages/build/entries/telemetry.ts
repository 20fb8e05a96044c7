// The entry `telemetry`: traces and metrics of a program that starts flows, as the processes have them.
export { startTelemetry, type Telemetry, traceApiCall } from '#platform/telemetry'
export { clientInterceptors } from '#platform/telemetry/temporal'
