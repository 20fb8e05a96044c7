import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino'

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

/** Bytes of lines that share a write, and milliseconds for which a line waits for others (D-345). */
const sharedBytes = 8_192
const longestWait = 20

/** Creates the log of a process, on standard error: standard output has the ready line only. */
export function createProcessLog(name: 'service' | 'gateway' | 'worker' | 'codec' | 'audit', level: LogLevel): Logger {
  return createLog(level, createSharedWrites()).child({ name })
}

/** Each write is a task for another thread, and lines are small. The exit of the process writes those that wait. */
function createSharedWrites(): DestinationStream {
  const stream = pino.destination({ fd: 2, sync: false, minLength: sharedBytes })
  let isFlushing = false
  function flush(): void {
    isFlushing = false
    stream.flush()
  }
  return {
    write(line) {
      stream.write(line)
      if (isFlushing) return
      isFlushing = true
      setTimeout(flush, longestWait)
    },
  }
}

/** Drops all other properties of an error: a database adds the values of the rejected row. */
function serializeError(failure: unknown): Record<string, unknown> {
  if (!(failure instanceof Error)) return { type: typeof failure }
  const { name, message, stack } = failure
  const code = 'code' in failure ? failure.code : undefined
  return { type: name, message, code, stack }
}
