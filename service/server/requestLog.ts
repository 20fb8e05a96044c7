import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { healthPaths } from '#contract'

/**
 * One line for each request. It is made of these fields and no others, so that no body, token, code or address can
 * slip in.
 */
export function logRequest(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { operation, caller, error, started } = request.facts
  const line = {
    requestId: request.id,
    operation,
    tenant: caller?.tenantId,
    client: caller?.clientId,
    status: reply.statusCode,
    error,
    ms: Math.round((performance.now() - started) * 10) / 10,
  }
  // Probes ask every few seconds.
  if (Object.values<string>(healthPaths).includes(request.routeOptions.url ?? '')) log.debug(line, 'request')
  else log.info(line, 'request')
}
