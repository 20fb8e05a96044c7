import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type ErrorCode, errors } from '#contract/terms'
import { clientErrorStatus } from '#platform/http'
import type { OpenSpan } from '#platform/telemetry'
import { watchOperation } from './operations.ts'
import type { Caller } from './tokens/caller.ts'

/** The parts of a request that the log and the limits need, collected while it is processed. */
export interface FlowApiContext {
  /** `performance.now()` when the request arrived. */
  readonly startedAt: number
  operation?: string
  caller?: Caller
  errorCode?: string
  /** Undefined without tracing, and until the caller is known. */
  span?: OpenSpan
  /** Run when the response has ended or the caller has gone. */
  readonly ends: (() => void)[]
  isOver: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    flowApi: FlowApiContext
  }
}

/** The statuses in logs and traces of a request whose connection was closed. No caller receives them. */
const closedStatuses = {
  /** By the caller, as proxies log it, or because the caller stopped reading. */
  caller: 499,
  /** By a stop of the gateway. */
  stop: errors.Unavailable.status,
} as const

/**
 * Returns the status of a request that is over, and notes the error of one whose response was not written to its end.
 * A caller ends a stream of events by closing the connection, so its end is not an error.
 * @param isForced true if a stop has closed the connections that were left
 */
export function settleStatus(
  { flowApi, raw: request }: FastifyRequest,
  { raw, statusCode }: FastifyReply,
  isForced: boolean,
): number {
  const isStream = flowApi.operation === watchOperation.name && raw.headersSent
  if (raw.writableFinished || isStream) return statusCode
  const sent = clientErrorStatus(request.socket)
  const code: ErrorCode = sent !== undefined ? 'InvalidRequest' : isForced ? 'Unavailable' : 'CallAborted'
  flowApi.errorCode = code
  return sent ?? (isForced ? closedStatuses.stop : closedStatuses.caller)
}

/** Logs one line per request. An allow-list of fields keeps bodies, tokens and case numbers out of the log. */
export function logRequest(log: Logger, { id, flowApi }: FastifyRequest, status: number): void {
  const { operation, caller, errorCode, span } = flowApi
  const line = {
    requestId: id,
    operation,
    clientId: caller?.clientId,
    status,
    errorCode,
    durationMs: Math.round(elapsedOf(flowApi)),
    ...span?.logFields(),
  }
  // Health probes arrive every few seconds.
  if (operation === undefined && status < 400) log.debug(line, 'request')
  else log.info(line, 'request')
}

/** Milliseconds since the request arrived. */
export function elapsedOf({ startedAt }: FlowApiContext): number {
  return performance.now() - startedAt
}

/** Runs a function at the end of a request; at once if the caller has gone meanwhile. */
export function onRequestEnd({ ends, isOver }: FlowApiContext, run: () => void): void {
  if (isOver) run()
  else ends.push(run)
}
