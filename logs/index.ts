// Bounds the log lines of a fault that repeats.
// Imported by the processes that log: service, gateway and worker.
export { createLogThrottle, type LogThrottle, type WriteLine } from './throttle.ts'
