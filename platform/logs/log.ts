import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino'
import { standardErrorInSharedWrites } from './sharedWrites.ts'

/** The levels of LOCKERFLOW_LOG_LEVEL, the most severe first. */
export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug'] as const satisfies LevelWithSilent[]

export type LogLevel = (typeof logLevels)[number]

let readContext: (() => object | undefined) | undefined

/**
 * Adds fields to every line of the process that depend on where it is written. Telemetry adds the ids of the trace.
 * @param read returns a new object for each line, to which the other fields are added, or undefined
 */
export function setLogContext(read: (() => object | undefined) | undefined): void {
  readContext = read
}

const noContext = {}

/** Creates a log with one JSON object per line. */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  // The line of a request has the ids already: it is written outside of the span.
  const mixin = (line: object) => ('trace_id' in line ? undefined : readContext?.()) ?? noContext
  const mixinMergeStrategy = (line: object, context: object) =>
    context === noContext ? line : Object.assign(context, line)
  return pino({ level, serializers: { err: serializeError }, mixin, mixinMergeStrategy }, destination)
}

type ProcessName = 'service' | 'gateway' | 'worker' | 'codec' | 'audit'

/** Creates the log of a process, on standard error: standard output has the ready line only. */
export function createProcessLog(name: ProcessName, level: LogLevel): Logger {
  return createLog(level, standardErrorInSharedWrites()).child({ name })
}

/** Drops all other properties of an error: a database adds the values of the rejected row. */
function serializeError(failure: unknown): Record<string, unknown> {
  if (!(failure instanceof Error)) return { type: typeof failure }
  const { name, message, stack } = failure
  const code = 'code' in failure ? failure.code : undefined
  return { type: name, message, code, stack }
}
