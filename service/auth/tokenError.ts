import { type Envelope, tokenErrors } from '#contract'

export type TokenErrorCode = keyof typeof tokenErrors

/** An error of the token endpoint (RFC 6749 section 5.2). */
export class TokenError extends Error {
  readonly code: TokenErrorCode
  readonly status: number
  /** Seconds, for the Retry-After header. */
  readonly retryAfter: number | undefined

  constructor(code: TokenErrorCode, message: string, retryAfter?: number) {
    super(message)
    this.name = 'TokenError'
    this.code = code
    this.status = tokenErrors[code]
    this.retryAfter = retryAfter
  }

  /** The body of RFC 6749, which is also an envelope: both call the code `error`. */
  get body(): Envelope & { error_description: string } {
    return { error_description: this.message, success: false, error: this.code, message: this.message }
  }
}
