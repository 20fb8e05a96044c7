import { z } from 'zod'

/** Path of the token endpoint below {auth_url} (specification, Authentication). */
export const tokenPath = '/connect/token'
export const accessScope = 'integration_api'

/** A token response; `expires_in` in seconds. */
export const tokenResponse = z.object({
  access_token: z.string().min(1),
  token_type: z.string(),
  expires_in: z.number().positive(),
})

export type TokenResponse = z.infer<typeof tokenResponse>
