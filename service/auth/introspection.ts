import { accessScope, type IntrospectionResponse, introspectionPath, keySetPath, tokenPath } from '#contract'
import { OperationError } from '../operationError.ts'
import { readForm, TokenError } from './credentials.ts'
import type { Caller, VerifyBearer } from './verifyBearer.ts'

export interface IntrospectionRequest {
  /** The body; undefined when its media type is not a form. */
  readonly form: string | undefined
  readonly caller: Caller
}

/** Says whether a token is accepted (RFC 7662). Throws a TokenError. */
export type Introspect = (request: IntrospectionRequest) => Promise<IntrospectionResponse>

/** Answers from memory, as a request with the token would be answered. A token of another tenant counts as inactive. */
export function createIntrospection(verifyBearer: VerifyBearer): Introspect {
  return async ({ form, caller }) => {
    const token = form === undefined ? undefined : readForm(form).get('token')
    if (token === undefined) throw new TokenError('invalid_request', 'The form must have the field token.')
    try {
      const { clientId, tenantId } = await verifyBearer(`Bearer ${token}`)
      return tenantId === caller.tenantId ? { active: true, client_id: clientId } : { active: false }
    } catch (error) {
      const isRefused = error instanceof OperationError && ['Unauthorized', 'Forbidden'].includes(error.code)
      if (isRefused) return { active: false }
      throw error
    }
  }
}

/** The document in which libraries find the endpoint and the keys (OpenID Connect Discovery 1.0, RFC 8414). */
export function createDiscoveryDocument(issuer: string, algorithm: string): Record<string, unknown> {
  return {
    issuer,
    token_endpoint: issuer + tokenPath,
    jwks_uri: issuer + keySetPath,
    introspection_endpoint: issuer + introspectionPath,
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    scopes_supported: [accessScope],
    response_types_supported: [],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [algorithm],
  }
}
