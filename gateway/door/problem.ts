import { z } from 'zod'
import { type ErrorCode, errors, isErrorCode, withReference } from '#contract/terms'

export const problemType = 'application/problem+json'

/** A problem of a request (RFC 9457). `code` and `message` are those of the flow client, `detail` equals `message`. */
export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    message: z.string(),
    /** Also in the header X-Request-Id and in the log. */
    requestId: z.string(),
  })
  .meta({ id: 'Problem' })

export type Problem = z.output<typeof problem>

/** The HTTP status where it differs from the error table: Temporal denies the gateway here, and not the caller. */
const statuses: Partial<Record<ErrorCode, number>> = { TemporalDenied: 503 }

/** Seconds in Retry-After when a 429 or 503 has no better value. */
const defaultRetryAfter = 1

/** An error that ends a request as a problem. */
export class DoorError extends Error {
  readonly code: ErrorCode
  /** Seconds. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, { retryAfter }: { readonly retryAfter?: number } = {}) {
    super(message)
    this.name = 'DoorError'
    this.code = code
    this.retryAfter = retryAfter
  }

  get status(): number {
    return statuses[this.code] ?? errors[this.code].status
  }
}

/** The body of a problem. */
export function toProblem(code: string, message: string, status: number, requestId: string): Problem {
  const detail = withReference(code, message)
  return {
    type: `urn:lockerflow:problem:${code}`,
    title: isErrorCode(code) ? errors[code].meaning : 'The service refused the request.',
    status,
    detail,
    code,
    message: detail,
    requestId,
  }
}

/** The headers that a status requires besides the body. */
export function problemHeaders({ code, retryAfter, status }: DoorError): Record<string, string> {
  if (status === 429 || status === 503) return { 'retry-after': String(retryAfter ?? defaultRetryAfter) }
  if (status === 401) return { 'www-authenticate': 'Bearer realm="lockerflow"' }
  return code === 'Forbidden' ? { 'www-authenticate': 'Bearer realm="lockerflow", error="insufficient_scope"' } : {}
}
