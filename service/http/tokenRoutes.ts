import type { FastifyInstance } from 'fastify'
import { discoveryPath, keySetPath, tokenPath } from '#contract'
import { discoveryDocument, type SigningKeys, type TokenEndpoint, TokenFailure } from '../signIn/index.ts'

export interface SignInRouteParts {
  readonly endpoint: TokenEndpoint
  readonly keys: SigningKeys
  /** The public address of the service. */
  readonly address: () => string
}

/** Longest token request in bytes. */
const longestForm = 16 * 1_024
const formType = 'application/x-www-form-urlencoded'

/** The token endpoint and the documents that libraries find it by. */
export function signInRoutes(app: FastifyInstance, { endpoint, keys, address }: SignInRouteParts): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(formType, { parseAs: 'string', bodyLimit: longestForm }, (_request, form, done) =>
    done(null, form),
  )
  // Any other type is an invalid_request, which the endpoint says in the words of its own standard.
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: longestForm }, (_request, _body, done) => done(null))

  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof TokenFailure)) throw error
    request.facts.error = error.code
    if (error.status === 401) reply.header('www-authenticate', 'Basic realm="lockerflow"')
    if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter))
    return reply.code(error.status).send(error.body)
  })

  app.post(tokenPath, async (request, reply) => {
    request.facts.operation = 'token'
    reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
    const { authorization } = request.headers
    const form = typeof request.body === 'string' ? request.body : undefined
    const { clientId, tenantId, response } = await endpoint({ form, authorization, address: request.ip })
    request.facts.caller = { clientId, tenantId }
    return response
  })

  app.get(discoveryPath, async () => discoveryDocument(address(), keys.algorithm))
  app.get(keySetPath, async () => keys.read())
}
