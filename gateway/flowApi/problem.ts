import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Refused } from '#client'
import { type ErrorCode, errors, isErrorCode } from '#contract/terms'
import { bearerRealm, toChallenge } from '#platform/http'
import { toPublicMessage, toPublicResult } from './publicMessages.ts'
import { type ResultKind, statusByKind } from './results.ts'

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

/** The HTTP status of a problem that is not a result. */
export function statusOf(code: ErrorCode): number {
  return statuses[code] ?? errors[code].status
}

/** Seconds in Retry-After when a 429 or 503 has no better value. */
const defaultRetryAfter = 1

/** An error that ends a request as a problem. */
export class FlowApiError extends Error {
  readonly code: ErrorCode
  /** Seconds. */
  readonly retryAfter: number | undefined
  /** HTTP status. */
  readonly status: number

  constructor(
    code: ErrorCode,
    message: string,
    { retryAfter, status }: { readonly retryAfter?: number; readonly status?: number } = {},
  ) {
    super(message)
    this.name = 'FlowApiError'
    this.code = code
    this.retryAfter = retryAfter
    this.status = status ?? statusOf(code)
  }
}

/** The body of a problem. */
export function toProblem(code: string, message: string, status: number, requestId: string): Problem {
  const detail = toPublicMessage(code, message)
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

/** The headers that a status requires besides the body. @param authorization the header of the request */
export function problemHeaders(
  { code, retryAfter, status }: FlowApiError,
  authorization: string | undefined,
): Record<string, string> {
  if (status === 429 || status === 503) return { 'retry-after': String(retryAfter ?? defaultRetryAfter) }
  if (status === 401) return { 'www-authenticate': toChallenge(authorization) }
  return code === 'Forbidden' ? { 'www-authenticate': `${bearerRealm}, error="insufficient_scope"` } : {}
}

/** Sends a result, as a problem with the fields of the result if its status says so. */
export function sendResult(reply: FastifyReply, result: { readonly kind: ResultKind }): FastifyReply {
  const status = statusByKind[result.kind]
  reply.code(status)
  const shown = toPublicResult(result)
  if (status < 400) return reply.send(shown)
  const { code, message } = shown as unknown as { code: string; message: string }
  const { flowApi, id } = reply.request
  flowApi.errorCode = code
  return reply.type(problemType).send({ ...toProblem(code, message, status, id), ...shown })
}

/** The result for a path that is not a case number. */
export function unknownCase(caseNo: string) {
  return { kind: 'UnknownCase', caseNo, code: 'UnknownCase', message: 'No flow has this case number.' } as const
}

/** The result of a call that the flow API refuses before it asks the flow. */
export function refused(code: ErrorCode, message: string): Refused {
  return { kind: 'Refused', code, message }
}
