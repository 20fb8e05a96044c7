import type { Envelope } from '#contract'

/** Failures of a token request by their HTTP status (RFC 6749 section 5.2; TooManyAttempts is ours). */
const statuses = {
  invalid_request: 400,
  invalid_client: 401,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  TooManyAttempts: 429,
} as const

export type TokenFailureCode = keyof typeof statuses

/** Why there is no token. */
export class TokenFailure extends Error {
  readonly code: TokenFailureCode
  readonly status: number
  /** Seconds, for the Retry-After header. */
  readonly retryAfter: number | undefined

  constructor(code: TokenFailureCode, message: string, retryAfter?: number) {
    super(message)
    this.name = 'TokenFailure'
    this.code = code
    this.status = statuses[code]
    this.retryAfter = retryAfter
  }

  /** The body that RFC 6749 asks for, which is an envelope too: both call the code `error`. */
  get body(): Envelope & { error_description: string } {
    return { error_description: this.message, success: false, error: this.code, message: this.message }
  }
}
