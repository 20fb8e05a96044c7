import { type ErrorCode, errors, isErrorCode } from '#contract/terms'

/** The service understood the operation and the answer is no: HTTP 200 with `success: false`. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal'
  /** The service's own code; `Refused` when it gave none. */
  readonly code: string
  readonly #answer: Readonly<Record<string, unknown>>

  constructor(code: string, message: string | null | undefined, answer: Readonly<Record<string, unknown>>) {
    super(message || (isErrorCode(code) ? errors[code].meaning : code))
    this.code = code
    this.#answer = answer
  }

  /**
   * The fields that came with the refusal: MutationConfigFailed carries the account. They can be personal, so no
   * logger finds them by walking over the error.
   */
  get answer(): Readonly<Record<string, unknown>> {
    return this.#answer
  }
}

export interface FaultFacts {
  /** The service's own code where it gave one. */
  readonly code: string
  /** HTTP status; undefined when there was no answer. */
  readonly status?: number | undefined
  /** Whether the same call can succeed later. */
  readonly retryable: boolean
  /** Seconds after which the service asks to be tried again. */
  readonly retryAfter?: number | undefined
  /** The request may have taken effect although no answer says so. */
  readonly maybeDone: boolean
}

/** There is no usable answer. */
export class ApiFault extends Error implements FaultFacts {
  override readonly name = 'ApiFault'
  readonly code: string
  readonly status: number | undefined
  readonly retryable: boolean
  readonly retryAfter: number | undefined
  readonly maybeDone: boolean

  constructor(facts: FaultFacts, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = facts.code
    this.status = facts.status
    this.retryable = facts.retryable
    this.retryAfter = facts.retryAfter
    this.maybeDone = facts.maybeDone
  }
}

/** A fault whose code is one of our own table. */
export function fault(facts: FaultFacts & { readonly code: ErrorCode }, detail: string, cause?: unknown): ApiFault {
  return new ApiFault(facts, `${errors[facts.code].meaning} (${detail})`, cause)
}
