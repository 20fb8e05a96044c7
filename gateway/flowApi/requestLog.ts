import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { OpenSpan } from '#telemetry'
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

/** Logs one line per request. An allow-list of fields keeps bodies, tokens and case numbers out of the log. */
export function logRequest(log: Logger, { id, flowApi }: FastifyRequest, { statusCode }: FastifyReply): void {
  const { operation, caller, errorCode, span } = flowApi
  const line = {
    requestId: id,
    operation,
    clientId: caller?.clientId,
    status: statusCode,
    errorCode,
    durationMs: Math.round(elapsedOf(flowApi)),
    ...span?.logFields(),
  }
  // Health probes arrive every few seconds.
  if (operation === undefined && statusCode < 400) log.debug(line, 'request')
  else log.info(line, 'request')
}

/** Milliseconds since the request arrived. */
export function elapsedOf({ startedAt }: FlowApiContext): number {
  return performance.now() - startedAt
}

/** Runs a function at the end of a request; at once if the caller has gone meanwhile. */
export function atEnd({ ends, isOver }: FlowApiContext, run: () => void): void {
  if (isOver) run()
  else ends.push(run)
}
