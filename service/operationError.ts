import type { ErrorCode } from '#contract/terms'

/** A refusal: a code out of the error table and a sentence for the caller. */
export class OperationError extends Error {
  readonly code: ErrorCode
  /** Seconds, for the Retry-After header. */
  readonly retryAfter: number | undefined
  /** Commits the changes of the call in spite of the refusal, for example a counted wrong PIN code. */
  readonly commit: boolean
  /** Fields of the operation's response, sent with the envelope. */
  readonly response: object | undefined

  constructor(
    code: ErrorCode,
    message: string,
    { retryAfter, commit = false, response, cause }: OperationErrorOptions = {},
  ) {
    // A refusal is a result, not a defect: its stack is never read, and capturing it takes a tenth of a refusal's time.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message, { cause })
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'OperationError'
    this.code = code
    this.retryAfter = retryAfter
    this.commit = commit
    this.response = response
  }
}

/** A command has an argument that no store accepts. The message begins with the argument. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError'
}

/** The error of a command whose tenant the store lacks. */
export function unknownTenant(tenantId: string): ArgumentError {
  return new ArgumentError(`--tenant: must be a tenant of the store, which lacks ${tenantId}.`)
}

interface OperationErrorOptions {
  readonly retryAfter?: number
  readonly commit?: boolean
  readonly response?: object
  /** The underlying failure, for the log. */
  readonly cause?: unknown
}
