import { accessScope, introspectionPath, keySetPath, tokenPath } from '#contract'

/** The document by which libraries find the endpoint and the keys (OpenID Connect Discovery 1.0, RFC 8414). */
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
