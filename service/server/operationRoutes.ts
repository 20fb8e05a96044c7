import type { FastifyInstance } from 'fastify'
import { type OperationName, operations } from '#contract'
import { Refusal } from '../operations/call.ts'
import type { TokenCheck } from '../signIn/index.ts'
import { readOperationRequest } from './body.ts'
import { createOneAtATime, idempotencyOf } from './idempotencyKey.ts'
import type { Outcome } from './outcome.ts'
import type { Perform } from './perform.ts'
import type { RateLimit } from './rateLimit.ts'

export interface OperationRouteParts {
  readonly names: readonly OperationName[]
  readonly check: TokenCheck
  readonly rateLimit: RateLimit
  readonly perform: Perform
}

/** One POST route for each operation: token, then rate, then body, then the operation itself. */
export function operationRoutes(app: FastifyInstance, { names, check, rateLimit, perform }: OperationRouteParts): void {
  const oneAtATime = createOneAtATime()
  app.removeAllContentTypeParsers()
  // Kept as bytes: a body that is no JSON is an answer of the operation and no reason to hang up.
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))

  function route<Name extends OperationName>(name: Name): void {
    app.post(operations[name].path, {
      async onRequest(request) {
        request.facts.operation = name
        const caller = await check(request.headers.authorization)
        request.facts.caller = caller
        const wait = rateLimit(caller.clientId)
        if (wait > 0) throw new Refusal('RateLimited', 'Too many requests; try again later.', { retryAfter: wait })
      },
      async handler(request, reply) {
        const { caller } = request.facts
        if (caller === undefined) throw new Refusal('Unauthorized', 'An access token is needed.')
        const read = readOperationRequest(name, request.body)
        const idempotency = idempotencyOf(name, caller.clientId, request.headers, read)
        const outcome: Outcome = await oneAtATime(idempotency, () => perform(name, caller, read, idempotency))
        if (outcome.error !== undefined) request.facts.error = outcome.error
        if (outcome.retryAfter !== undefined) reply.header('retry-after', String(outcome.retryAfter))
        return reply.code(outcome.status).type('application/json; charset=utf-8').send(outcome.body)
      },
    })
  }

  for (const name of names) route(name)
}
