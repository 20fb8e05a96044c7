import type { FastifyInstance } from 'fastify'
import { type OperationName, operations } from '#contract'
import { type Admission, callerOf } from './admission.ts'
import { readOperationRequest } from './body.ts'
import { createOneAtATime, idempotencyOf } from './idempotencyKey.ts'
import type { Outcome } from './outcome.ts'
import type { Perform } from './perform.ts'
import { sendOutcome } from './sendOutcome.ts'

export interface OperationRouteParts {
  readonly names: readonly OperationName[]
  readonly admission: Admission
  readonly perform: Perform
}

/** One POST route for each operation: token, then rate, then body, then the operation itself. */
export function operationRoutes(app: FastifyInstance, { names, admission, perform }: OperationRouteParts): void {
  const oneAtATime = createOneAtATime()
  app.removeAllContentTypeParsers()
  // Kept as bytes: a body that is no JSON is an answer of the operation and no reason to hang up.
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))

  function route<Name extends OperationName>(name: Name): void {
    app.post(operations[name].path, {
      onRequest: admission(name),
      async handler(request, reply) {
        const caller = callerOf(request)
        const read = readOperationRequest(name, request.body)
        const idempotency = idempotencyOf(name, caller.clientId, request.headers, read)
        const outcome: Outcome = await oneAtATime(idempotency, () => perform(name, caller, read, idempotency))
        return sendOutcome(outcome, request, reply)
      },
    })
  }

  for (const name of names) route(name)
}
