// The log of a process, the ids of its lines that need an action, and the bound on lines of a fault that repeats.
// Imported by the processes that log, and by the folders that log for them. The documentation reads the table.
export { createLog, createProcessLog, type LogLevel, logLevels, setLogContext } from './log.ts'
export { informationLines, type LogEvent, type LogId, logEvents } from './table.ts'
export { createLogThrottle, type LogThrottle, type WriteLine } from './throttle.ts'
