import type { HttpResponse } from '#contract/client'
import { errors, isErrorCode } from '#contract/terms'
import { CommandFailure, exitCodes } from '../command/failure.ts'
import { jsonLines, type Output } from '../command/output.ts'

/** Statuses by which a service, or a proxy before it, says that it is unavailable for a while. */
const unavailableStatuses: readonly number[] = [502, 503, 504]

/**
 * Prints the response of a call, and notes its request id.
 * @throws CommandFailure for a refusal, and for any status but a success
 */
export function printResponse(output: Output, { status, headers, text }: HttpResponse): void {
  const requestId = firstOf(headers['x-request-id'])
  const body = parse(text)
  if (body === undefined) {
    const message = `The service answered HTTP ${status} with a body that is not a JSON object.`
    throw new CommandFailure('MalformedResponse', message, { exitCode: exitOf(status), requestId })
  }
  const isRefused = status < 200 || status > 299 || field(body, 'success') === false
  if (isRefused) {
    const code = asText(field(body, 'error')) ?? 'UnknownRefusal'
    const message = asText(field(body, 'message')) ?? (isErrorCode(code) ? errors[code].meaning : code)
    throw new CommandFailure(code, `${message} (HTTP ${status})`, { exitCode: exitOf(status), requestId })
  }
  output.result(body, () => jsonLines(body))
  if (requestId !== undefined) output.note(`request id ${requestId}`)
}

function exitOf(status: number): number {
  return exitCodes[unavailableStatuses.includes(status) ? 'notReachable' : 'failed']
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

/** A field in any casing, since other services may have another one. */
function field(body: Record<string, unknown>, name: string): unknown {
  return Object.entries(body).find(([key]) => key.toLowerCase() === name)?.[1]
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? (body as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
