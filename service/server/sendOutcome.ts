import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Outcome } from './outcome.ts'

/** Sends how a call ended. */
export function sendOutcome(outcome: Outcome, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (outcome.error !== undefined) request.facts.error = outcome.error
  if (outcome.retryAfter !== undefined) reply.header('retry-after', String(outcome.retryAfter))
  return reply.code(outcome.status).type('application/json; charset=utf-8').send(outcome.body)
}
