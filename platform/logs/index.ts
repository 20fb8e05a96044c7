// The log of a process, and the bound on lines of a fault that repeats.
// Imported by the processes that log, and by the folders that log for them.
export { createLog, createProcessLog, type LogLevel, logLevels, setLogContext } from './log.ts'
export { createLogThrottle, type LogThrottle, type WriteLine } from './throttle.ts'
