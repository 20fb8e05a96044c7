import type { FastifyInstance, FastifyRequest } from 'fastify'
import { discoveryPath, introspectionPath, keySetPath, tokenPath } from '#contract'
import { isLoopbackHost } from '#platform/addresses'
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
  /** The secrets are those of the built-in topology, and only this machine reaches the service. */
  readonly hasPublicSecrets: boolean
  /** The public address of the service. */
  readonly address: () => string
}

/** Maximum size of a token request in bytes. */
const maxFormSize = 16 * 1_024
const formType = 'application/x-www-form-urlencoded'

/** The token endpoint, the introspection of tokens, the discovery document and the public keys. */
export function tokenRoutes(
  app: FastifyInstance,
  { tokenEndpoint, verifyBearer, rates, unread, keys, hasPublicSecrets, address }: TokenRouteParts,
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
    const { authorization, origin } = request.headers
    if (hasPublicSecrets && origin !== undefined) requireLocalPage(origin, address())
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

/**
 * Browsers send the origin of a page with each POST. A page can reach loopback by a host name of its own that leads there,
 * and knows the secrets. Programs send no origin.
 * @throws TokenError `invalid_request` unless the page is of this machine or of the public address
 */
function requireLocalPage(origin: string, address: string): void {
  const page = URL.parse(origin)
  if (page !== null && (isLoopbackHost(page.hostname) || page.origin === URL.parse(address)?.origin)) return
  throw new TokenError(
    'invalid_request',
    'Pages of other hosts get no token for a public secret. Open the page on localhost, or set LOCKERFLOW_PUBLIC_URL.',
  )
}

/** The body of a form; any other media type was not read. */
function formOf({ body }: FastifyRequest): string | undefined {
  return typeof body === 'string' ? body : undefined
}
