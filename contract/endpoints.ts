import { z } from 'zod'

/** Path of the token endpoint below {auth_url} (specification, Authentication). */
export const tokenPath = '/connect/token'
export const accessScope = 'integration_api'

/** Failures of a token request by their HTTP status (RFC 6749 section 5.2; TooManyAttempts is ours). */
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
})

export type TokenResponse = z.infer<typeof tokenResponse>
