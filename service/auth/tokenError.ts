import { type Envelope, tokenErrors } from '#contract'

export type TokenFailureCode = keyof typeof tokenErrors

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
    this.status = tokenErrors[code]
    this.retryAfter = retryAfter
  }

  /** The body that RFC 6749 asks for, which is an envelope too: both call the code `error`. */
  get body(): Envelope & { error_description: string } {
    return { error_description: this.message, success: false, error: this.code, message: this.message }
  }
}
