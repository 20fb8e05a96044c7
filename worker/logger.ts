import { ApplicationFailure } from '@temporalio/common'
import { DefaultLogger, type LogEntry, type Logger } from '@temporalio/worker'
import type { Logger as Log } from 'pino'
import { errors } from '#contract/terms'
import { createLogThrottle } from '#platform/logs'

/** The logger of the SDK. In an outage each attempt of each activity logs the same failure, so it is throttled. */
export function createLogger(level: 'WARN' | 'ERROR', write: Logger = new DefaultLogger(level)): Logger {
  const throttled = createLogThrottle()
  return new DefaultLogger(level, entry => {
    if (entry.message.startsWith(activitiesOnly)) return
    throttled(toCode(entry), suppressed =>
      write.log(entry.level, entry.message, suppressed === undefined ? entry.meta : { ...entry.meta, suppressed }),
    )
  })
}

/** The SDK warns of the worker of the second task queue, which is meant to have no workflows. */
const activitiesOnly = 'No workflows registered'

/** The ids of the SDK's messages that have one of their own. */
const ids: Readonly<Record<string, string>> = {
  'Activity failed': 'activity-failed',
  'Workflow failed': 'flow-failed',
  'Failing workflow task': 'workflow-task-failed',
}

/** Fields of the SDK that are logged. The others can contain inputs and results of flows. */
const loggedFields = [
  'workflowId',
  'runId',
  'workflowType',
  'activityType',
  'attempt',
  'durationMs',
  'suppressed',
] as const

/** Longest text of an error of the SDK's core, in characters. */
const maxErrorLength = 300

/** Writes the SDK's lines as JSON, like those of service and gateway. */
export function jsonLogger(level: 'WARN' | 'ERROR', log: Pick<Log, 'warn' | 'error'>): Logger {
  return new DefaultLogger(level, ({ level: severity, message, meta = {} }) => {
    const logId = ids[message] ?? 'temporal-sdk'
    const fields = Object.fromEntries(loggedFields.filter(name => name in meta).map(name => [name, meta[name]]))
    const error = meta.error ?? (logId === 'workflow-task-failed' ? readFailure(meta.failure) : undefined)
    // The core passes errors as texts.
    const err = typeof error === 'string' ? new Error(error.slice(0, maxErrorLength)) : error
    const line = { logId, ...fields, errorCode: typeOf(error), ...(err !== undefined && { err }) }
    if (severity === 'ERROR') log.error(line, message)
    else log.warn(line, message)
  })
}

/** The message in a failure that the core writes in the notation of Rust: `Failure { message: "…", … }`. */
export function readFailure(failure: unknown): string | undefined {
  const [, message] = /\bmessage: "((?:\\.|[^"\\])*)"/.exec(String(failure)) ?? []
  return message
}

/** The core writes run ids and numbers of attempts into its messages. Each would be a code of its own. */
const changingParts = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|\d+/g

function toCode({ level, message, meta = {} }: LogEntry): string {
  const { error, activityType, workflowType } = meta
  return [level, message.replace(changingParts, ''), typeOf(error), activityType ?? workflowType].join(' ')
}

function typeOf(error: unknown): string | undefined {
  if (error instanceof ApplicationFailure) return error.type ?? undefined
  return error instanceof Error ? (errorCodeOf(error.message) ?? error.name) : undefined
}

/** The code whose page a message names. The failure of a flow leaves the sandbox as a copy, without its type. */
function errorCodeOf(message: string): string | undefined {
  const anchor = /\berrors\.md#(\w+)\.$/.exec(message)?.[1]
  return anchor && Object.keys(errors).find(code => code.toLowerCase() === anchor)
}
