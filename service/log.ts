import { type DestinationStream, type Level, type Logger, pino } from 'pino'

/** A log of the service: one JSON object a line, to wherever it is told. */
export function createLog(level: Level | 'silent', destination?: DestinationStream): Logger {
  return pino({ level, serializers: { err: shown } }, destination)
}

/** A failure without whatever else hangs on it: a database adds the values of the row that it refused. */
function shown(failure: unknown): Record<string, unknown> {
  if (!(failure instanceof Error)) return { type: typeof failure }
  const { name, message, stack } = failure
  const code = 'code' in failure ? failure.code : undefined
  return { type: name, message, code, stack }
}
