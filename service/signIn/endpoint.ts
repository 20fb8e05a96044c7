import { accessScope, type TokenResponse } from '#contract'
import type { Store } from '../store/index.ts'
import type { ClientRow } from '../store/tables.ts'
import { type Credentials, type Form, readCredentials, readForm } from './credentials.ts'
import { TokenFailure } from './failure.ts'
import { secretHolds } from './secret.ts'
import type { Tokens } from './tokens.ts'
import type { WrongSecrets } from './wrongSecrets.ts'

export interface TokenRequest {
  /** The form as it came; undefined when the body was something else. */
  readonly form: string | undefined
  readonly authorization: string | undefined
  /** Where it came from, for the attempt limit. */
  readonly address: string
}

export interface Granted {
  readonly clientId: string
  readonly tenantId: string
  readonly response: TokenResponse
}

/** Answers a token request; throws a TokenFailure when there is no token to be had. */
export type TokenEndpoint = (request: TokenRequest) => Promise<Granted>

export interface TokenEndpointParts {
  readonly store: Store
  readonly tokens: Tokens
  /** Seconds. */
  readonly tokenLife: number
  readonly wrongSecrets: WrongSecrets
}

/** The token endpoint: OAuth 2 client credentials (specification, Authentication; RFC 6749 sections 4.4 and 5). */
export function createTokenEndpoint({ store, tokens, tokenLife, wrongSecrets }: TokenEndpointParts): TokenEndpoint {
  async function clientOf(clientId: string): Promise<ClientRow | undefined> {
    // Not every store can be asked for what has the character NUL in it, and none keeps it.
    if (clientId.includes('\0')) return undefined
    return store.selectFrom('clients').selectAll().where('client_id', '=', clientId).executeTakeFirst()
  }

  async function tenantOf({ clientId, clientSecret }: Credentials, address: string): Promise<string> {
    const client = await clientOf(clientId)
    const wait = wrongSecrets.wait(clientId, address)
    if (wait > 0) throw new TokenFailure('TooManyAttempts', 'Too many wrong secrets; try again later.', wait)
    if (!secretHolds(client, clientSecret) || client === undefined) {
      wrongSecrets.failed(clientId, address)
      throw new TokenFailure('invalid_client', 'The client is unknown or its secret is wrong.')
    }
    wrongSecrets.succeeded(clientId, address)
    return client.tenant_id
  }

  return async ({ form: body, authorization, address }) => {
    if (body === undefined) {
      throw new TokenFailure('invalid_request', 'The body has to be application/x-www-form-urlencoded.')
    }
    const form = readForm(body)
    const credentials = readCredentials(authorization, form)
    const tenantId = await tenantOf(credentials, address)
    checkGrant(form)
    return {
      clientId: credentials.clientId,
      tenantId,
      response: {
        access_token: await tokens.issue(credentials.clientId, tenantId),
        token_type: 'bearer',
        expires_in: tokenLife,
      },
    }
  }
}

function checkGrant(form: Form): void {
  const grant = form.get('grant_type')
  if (grant === undefined) throw new TokenFailure('invalid_request', 'grant_type is missing.')
  if (grant !== 'client_credentials') {
    throw new TokenFailure('unsupported_grant_type', 'grant_type has to be client_credentials.')
  }
  const scopes = form.get('scope')?.split(' ') ?? []
  if (scopes.some(scope => scope !== accessScope)) {
    throw new TokenFailure('invalid_scope', `scope has to be ${accessScope}.`)
  }
}
