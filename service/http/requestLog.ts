import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { ErrorCode } from '#contract/terms'
import { isHealthRoute } from '#platform/http'
import type { OpenSpan } from '#platform/telemetry'
import type { Caller, TokenError } from '../auth/index.ts'
import type { Unread } from './unread.ts'

/** The fields of a request that may be logged, collected while it is processed. */
export interface RequestContext {
  /** `performance.now()` when the request arrived. */
  readonly startedAt: number
  operation?: string
  caller?: Caller
  errorCode?: ErrorCode | TokenError['code']
  /** Undefined until the caller is known. */
  unread?: Unread
  /** Undefined without tracing, and until the caller is known. */
  span?: OpenSpan
  /** The response was stored for an earlier request with the same Idempotency-Key. */
  repeated?: true
}

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext
  }
}

/** Logs one line per request. An allow-list of fields keeps bodies, tokens, access codes and addresses out of the log. */
export function logRequest(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { operation, caller, errorCode, startedAt, span } = request.context
  const ids = span?.logFields()
  const line = {
    requestId: request.id,
    operation,
    tenantId: caller?.tenantId,
    clientId: caller?.clientId,
    status: reply.statusCode,
    errorCode,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
    trace_id: ids?.trace_id,
    span_id: ids?.span_id,
  }
  // Health probes arrive every few seconds.
  if (isHealthRoute(request.routeOptions.url)) log.debug(line, 'request')
  else log.info(line, 'request')
}
