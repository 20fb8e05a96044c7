import { type DestinationStream, type Level, type Logger, pino } from 'pino'

/** Creates a log with one JSON object per line. */
export function createLog(level: Level | 'silent', destination?: DestinationStream): Logger {
  return pino({ level, serializers: { err: serializeError } }, destination)
}

/** Drops all other properties of an error: a database adds the values of the rejected row. */
function serializeError(failure: unknown): Record<string, unknown> {
  if (!(failure instanceof Error)) return { type: typeof failure }
  const { name, message, stack } = failure
  const code = 'code' in failure ? failure.code : undefined
  return { type: name, message, code, stack }
}
