import type { FastifyInstance, FastifyRequest } from 'fastify'
import { discoveryPath, introspectionPath, keySetPath, tokenPath } from '#contract'
import {
  createDiscoveryDocument,
  createIntrospection,
  missingToken,
  type SigningKeys,
  type TokenEndpoint,
  TokenError,
  type VerifyBearer,
} from '../auth/index.ts'
import { createAuthenticate, limitRate } from './admission.ts'
import type { Rates } from './rateLimit.ts'
import type { Unread } from './unread.ts'

export interface TokenRouteParts {
  readonly tokenEndpoint: TokenEndpoint
  readonly verifyBearer: VerifyBearer
  readonly keys: SigningKeys
  readonly rates: Rates | undefined
  readonly unread: Unread
  /** The public address of the service. */
  readonly address: () => string
}

/** Maximum size of a token request in bytes. */
const maxFormSize = 16 * 1_024
const formType = 'application/x-www-form-urlencoded'

/** The token endpoint, the introspection of tokens, the discovery document and the public keys. */
export function tokenRoutes(
  app: FastifyInstance,
  { tokenEndpoint, verifyBearer, rates, unread, keys, address }: TokenRouteParts,
): void {
  const introspect = createIntrospection(verifyBearer)
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
    const form = formOf(request)
    const { clientId, tenantId, response } = await tokenEndpoint({
      ...{ form, authorization, address: request.ip },
      limitRate: client => limitRate(rates?.signIns, client),
    })
    request.context.caller = { clientId, tenantId }
    return response
  })

  app.post(introspectionPath, {
    onRequest: createAuthenticate({ verifyBearer, rateLimit: rates?.introspections, unread })('introspect'),
    async handler(request) {
      const { caller } = request.context
      if (caller === undefined) throw missingToken()
      return introspect({ form: formOf(request), caller })
    },
  })

  app.get(discoveryPath, async () => createDiscoveryDocument(address(), keys.current().algorithm))
  app.get(keySetPath, async () => keys.read())
}

/** The body of a form; any other media type was not read. */
function formOf({ body }: FastifyRequest): string | undefined {
  return typeof body === 'string' ? body : undefined
}
