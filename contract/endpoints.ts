import { z } from 'zod'

/** Path of the token endpoint below {auth_url} (specification, Authentication). */
export const tokenPath = '/connect/token'
export const accessScope = 'integration_api'

/** HTTP status of each token error (RFC 6749 section 5.2; TooManyAttempts is an addition). */
export const tokenErrors = {
  invalid_request: 400,
  invalid_client: 401,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  TooManyAttempts: 429,
} as const

/** A token response; `expires_in` in seconds. */
export const tokenResponse = z.object({
  access_token: z.string().min(1),
  token_type: z.string(),
  expires_in: z.number().positive(),
  /** Absent if it is the requested scope (RFC 6749 section 5.1). */
  scope: z.string().optional(),
})

export type TokenResponse = z.infer<typeof tokenResponse>

/** Path of the endpoint that says whether a token is still accepted (RFC 7662). */
export const introspectionPath = '/connect/introspect'

/** An introspection response. An inactive token has no further field (RFC 7662 section 2.2). */
export const introspectionResponse = z.object({ active: z.boolean(), client_id: z.string().optional() })

export type IntrospectionResponse = z.infer<typeof introspectionResponse>

// Paths that are served with GET and without a token.
export const documentPath = '/openapi.json'
/** The reference page; its assets are served below it. */
export const pagePath = '/docs'
export const healthPaths = { live: '/health/live', ready: '/health/ready' } as const
export const discoveryPath = '/.well-known/openid-configuration'
export const keySetPath = '/.well-known/jwks.json'

/** Headers of every response: caches store no token, code or personal data, and browsers do not guess content types. */
export const commonHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const
