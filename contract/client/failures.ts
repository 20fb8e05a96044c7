import { type ErrorCode, errors, isErrorCode, withReference } from '#contract/terms'

/**
 * The service understood the operation and refused: HTTP 200 with `success: false`.
 *
 * ```ts
 * try {
 *   await api.call('CancelShipment', { shipmentUid })
 * } catch (error) {
 *   if (error instanceof ApiRefusal) console.error(error.code)
 * }
 * ```
 */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal'
  /** The service's own code, or `UnknownRefusal` when it sent none. */
  readonly code: string
  /** The id under which the service logged the request; undefined if it sent none. */
  readonly requestId: string | undefined
  readonly #response: Readonly<Record<string, unknown>>

  constructor(
    code: string,
    message: string | null | undefined,
    response: Readonly<Record<string, unknown>>,
    requestId?: string,
  ) {
    super(message || (isErrorCode(code) ? withReference(code, errors[code].meaning) : code))
    this.code = code
    this.requestId = requestId
    this.#response = response
  }

  /**
   * The fields of the refusal; MutationConfigFailed has the account. They may be personal data, so a private field
   * hides them from loggers that walk over the error.
   */
  get response(): Readonly<Record<string, unknown>> {
    return this.#response
  }
}

export interface FaultDetails {
  /** The service's own code if it sent one. */
  readonly code: string
  /** HTTP status; undefined without a response. */
  readonly status?: number | undefined
  /** A repetition of the call can succeed later. */
  readonly retryable: boolean
  /** Seconds of the response's `Retry-After`. */
  readonly retryAfter?: number | undefined
  /** The request may have taken effect, although no response confirms it. */
  readonly outcomeUnknown: boolean
  /** A text of our own that can be stored and shown, for instance `HTTP 401 invalid_client`. */
  readonly reason?: string | undefined
  /** The id under which the service logged the request. */
  readonly requestId?: string | undefined
}

/**
 * The call got no usable response.
 *
 * ```ts
 * try {
 *   await api.call('GetPickUpPoints', {})
 * } catch (error) {
 *   if (error instanceof ApiFault && error.retryable) console.error(`try again: ${error.message}`)
 * }
 * ```
 */
export class ApiFault extends Error implements FaultDetails {
  override readonly name = 'ApiFault'
  readonly code: string
  readonly status: number | undefined
  readonly retryable: boolean
  readonly retryAfter: number | undefined
  readonly outcomeUnknown: boolean
  readonly reason: string | undefined
  readonly requestId: string | undefined

  constructor(details: FaultDetails, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = details.code
    this.status = details.status
    this.retryable = details.retryable
    this.retryAfter = details.retryAfter
    this.outcomeUnknown = details.outcomeUnknown
    this.reason = details.reason
    this.requestId = details.requestId
  }
}

/** Creates a fault with a code of the error table. */
export function fault(details: FaultDetails & { readonly code: ErrorCode }, detail: string, cause?: unknown): ApiFault {
  const { code } = details
  return new ApiFault(details, withReference(code, `${errors[code].meaning} (${detail})`), cause)
}

/** Caps the Retry-After of a service, which may be a day. Milliseconds. */
const maxRequestedPause = 60_000

/**
 * The pause that the service asked for by Retry-After, in milliseconds; zero if it asked for none. At most a minute:
 * clean-ups, bookings and registrations cannot wait for a day.
 */
export function requestedPause({ retryAfter = 0 }: Pick<FaultDetails, 'retryAfter'>): number {
  return Math.min(retryAfter * 1_000, maxRequestedPause)
}
