import { accessScope, keySetPath, type TokenResponse, tokenPath } from '#contract'
import type { Store } from '../store/index.ts'
import type { ClientRow } from '../store/tables.ts'
import { type Credentials, type Form, readCredentials, readForm } from './credentials.ts'
import { matchesSecret } from './secretHash.ts'
import type { SecretThrottle } from './secretThrottle.ts'
import { TokenError } from './tokenError.ts'
import type { Tokens } from './tokens.ts'

export interface TokenRequest {
  /** The body; undefined when its media type is not a form. */
  readonly form: string | undefined
  readonly authorization: string | undefined
  /** The IP address of the caller, for the limit on wrong secrets. */
  readonly address: string
}

export interface Granted {
  readonly clientId: string
  readonly tenantId: string
  readonly response: TokenResponse
}

/** Grants an access token. Throws a TokenError. */
export type TokenEndpoint = (request: TokenRequest) => Promise<Granted>

export interface TokenEndpointParts {
  readonly store: Store
  readonly tokens: Tokens
  /** Seconds. */
  readonly tokenLifetime: number
  readonly secretThrottle: SecretThrottle
}

/** The token endpoint: OAuth 2 client credentials (specification, Authentication; RFC 6749 sections 4.4 and 5). */
export function createTokenEndpoint({
  store,
  tokens,
  tokenLifetime,
  secretThrottle,
}: TokenEndpointParts): TokenEndpoint {
  async function findClient(clientId: string): Promise<ClientRow | undefined> {
    // PostgreSQL rejects a parameter with the character NUL.
    if (clientId.includes('\0')) return undefined
    return store.selectFrom('clients').selectAll().where('client_id', '=', clientId).executeTakeFirst()
  }

  async function verifySecret({ clientId, clientSecret }: Credentials, address: string): Promise<string> {
    const client = await findClient(clientId)
    const retryAfter = secretThrottle.retryAfter(clientId, address)
    if (retryAfter > 0) {
      throw new TokenError('TooManyAttempts', 'Too many wrong secrets; try again later.', retryAfter)
    }
    if (!matchesSecret(client, clientSecret) || client === undefined) {
      secretThrottle.failed(clientId, address)
      throw new TokenError('invalid_client', 'The client is unknown or its secret is wrong.')
    }
    secretThrottle.succeeded(clientId, address)
    return client.tenant_id
  }

  return async ({ form: body, authorization, address }) => {
    if (body === undefined) {
      throw new TokenError('invalid_request', 'The body must be application/x-www-form-urlencoded.')
    }
    const form = readForm(body)
    const credentials = readCredentials(authorization, form)
    const tenantId = await verifySecret(credentials, address)
    checkGrant(form)
    return {
      clientId: credentials.clientId,
      tenantId,
      response: {
        access_token: await tokens.issue(credentials.clientId, tenantId),
        token_type: 'bearer',
        expires_in: tokenLifetime,
        ...(form.get('scope') !== accessScope && { scope: accessScope }),
      },
    }
  }
}

function checkGrant(form: Form): void {
  const grant = form.get('grant_type')
  if (grant === undefined) throw new TokenError('invalid_request', 'grant_type is missing.')
  if (grant !== 'client_credentials') {
    throw new TokenError('unsupported_grant_type', 'grant_type must be client_credentials.')
  }
  const scopes = form.get('scope')?.split(' ') ?? []
  if (scopes.some(scope => scope !== accessScope)) {
    throw new TokenError('invalid_scope', `scope must be ${accessScope}.`)
  }
}

/** The document by which libraries find the endpoint and the keys (OpenID Connect Discovery 1.0, RFC 8414). */
export function createDiscoveryDocument(issuer: string, algorithm: string): Record<string, unknown> {
  return {
    issuer,
    token_endpoint: issuer + tokenPath,
    jwks_uri: issuer + keySetPath,
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    scopes_supported: [accessScope],
    response_types_supported: [],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [algorithm],
  }
}
