import { ApplicationFailure } from '@temporalio/common'
import { DefaultLogger, type LogEntry, type Logger } from '@temporalio/worker'
import { createLogThrottle } from '#logs'

/** The logger of the SDK. In an outage each attempt of each activity logs the same failure, so it is throttled. */
export function createLogger(level: 'WARN' | 'ERROR', write: Logger = new DefaultLogger(level)): Logger {
  const throttled = createLogThrottle()
  return new DefaultLogger(level, entry =>
    throttled(toCode(entry), suppressed =>
      write.log(entry.level, entry.message, suppressed === undefined ? entry.meta : { ...entry.meta, suppressed }),
    ),
  )
}

function toCode({ level, message, meta = {} }: LogEntry): string {
  const { error, activityType, workflowType } = meta
  const type = error instanceof ApplicationFailure ? error.type : error instanceof Error ? error.name : undefined
  return [level, message, type, activityType ?? workflowType].join(' ')
}
