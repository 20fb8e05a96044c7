import type { FastifyInstance } from 'fastify'
import { discoveryPath, keySetPath, tokenPath } from '#contract'
import { createDiscoveryDocument, type SigningKeys, type TokenEndpoint, TokenError } from '../auth/index.ts'

export interface TokenRouteParts {
  readonly tokenEndpoint: TokenEndpoint
  readonly keys: SigningKeys
  /** The public address of the service. */
  readonly address: () => string
}

/** Maximum size of a token request in bytes. */
const maxFormSize = 16 * 1_024
const formType = 'application/x-www-form-urlencoded'

/** The token endpoint, its discovery document and the public keys. */
export function tokenRoutes(app: FastifyInstance, { tokenEndpoint, keys, address }: TokenRouteParts): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(formType, { parseAs: 'string', bodyLimit: maxFormSize }, (_request, form, done) =>
    done(null, form),
  )
  // The endpoint reports any other media type as `invalid_request` (RFC 6749).
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxFormSize }, (_request, _body, done) => done(null))

  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof TokenError)) throw error
    request.context.errorCode = error.code
    if (error.status === 401) reply.header('www-authenticate', 'Basic realm="lockerflow"')
    if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter))
    return reply.code(error.status).send(error.body)
  })

  app.post(tokenPath, async (request, reply) => {
    request.context.operation = 'token'
    reply.header('pragma', 'no-cache')
    const { authorization } = request.headers
    const form = typeof request.body === 'string' ? request.body : undefined
    const { clientId, tenantId, response } = await tokenEndpoint({ form, authorization, address: request.ip })
    request.context.caller = { clientId, tenantId }
    return response
  })

  app.get(discoveryPath, async () => createDiscoveryDocument(address(), keys.current().algorithm))
  app.get(keySetPath, async () => keys.read())
}
