import type { FastifyInstance } from 'fastify'
import { type OperationName, operations } from '#contract'
import { missingToken } from '../auth/index.ts'
import { OperationError } from '../operationError.ts'
import type { Authenticate } from './admission.ts'
import { readBody } from './parseRequest.ts'
import { sendResult, toRefusal } from './result.ts'
import type { RunOperation } from './runOperation.ts'

export interface OperationRouteParts {
  readonly names: readonly OperationName[]
  readonly authenticate: Authenticate
  readonly runOperation: RunOperation
}

/** One POST route per operation: access token, rate limit, body, operation, response. */
export function operationRoutes(app: FastifyInstance, parts: OperationRouteParts): void {
  const { names, authenticate, runOperation } = parts
  app.removeAllContentTypeParsers()
  // As bytes: malformed JSON is reported in the operation's own response, and UTF-8 is checked.
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))

  function addRoute<Name extends OperationName>(name: Name): void {
    app.post(operations[name].path, {
      onRequest: authenticate(name),
      // Returns no promise. With one, Fastify watches the response, which takes a tenth of a refusal's time.
      handler(request, reply) {
        const { caller } = request.context
        if (caller === undefined) throw missingToken()
        const read = readBody(name, request.body)
        if (read instanceof OperationError) return void sendResult(toRefusal(read), request, reply)
        runOperation(name, caller, read.request, { headers: request.headers }).then(
          result => sendResult(result, request, reply),
          error => reply.send(error),
        )
      },
    })
  }

  for (const name of names) addRoute(name)
}
