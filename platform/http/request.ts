// The id of a request, the limits of its arrival and of reading its response, its checks before the body is read, and probes.
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerOptions } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { healthPaths } from '#contract'
import type { AllowedMethods } from './allowedMethods.ts'

export const requestIdHeader = 'x-request-id'

/** Ids of callers that are safe to log. */
const safeRequestId = /^[\w.:-]{1,100}$/

/** Returns the caller's request id if it is safe to log, otherwise a new one. */
export function readRequestId({ headers }: { readonly headers: IncomingHttpHeaders }): string {
  const id = headers[requestIdHeader]
  return typeof id === 'string' && safeRequestId.test(id) ? id : randomUUID()
}

/** Node.js looks for late requests at least this often, in milliseconds. */
const maxCheckInterval = 30_000

/**
 * Options of Fastify that limit the arrival of a request, headers and body together. Node.js applies the longer one of its two
 * timeouts to the whole request. Fastify changes the `requestTimeout` of a server whose `headersTimeout` is 60 s already.
 * @param timeout milliseconds; a request that arrives later is answered with 408
 */
export function limitArrival(timeout: number): { readonly requestTimeout: number; readonly http: ServerOptions } {
  const connectionsCheckingInterval = Math.min(maxCheckInterval, Math.ceil(timeout / 3))
  return {
    requestTimeout: timeout,
    http: { requestTimeout: timeout, headersTimeout: timeout, connectionsCheckingInterval },
  }
}

/** Milliseconds without progress after which the connection of an unread response is closed. */
const stallTimeout = 60_000

/**
 * Closes the connection of a response that its caller stops reading. No timeout of Node.js ends it otherwise. Streams stay open by
 * their heartbeats. Call it when the response is sent, since a caller may wait longer for its start.
 */
export function limitStall({ raw }: FastifyReply, timeout = stallTimeout): void {
  raw.setTimeout(timeout, () => raw.destroy())
}

/** The fault of headers that no route accepts. */
export interface HeaderFault {
  /** HTTP status. */
  readonly status: number
  readonly message: string
}

/** The headers that have one value, by the length of their name. Node.js would keep the first value, or join both. */
const singleHeaders: ReadonlyMap<number, string> = new Map(
  ['Host', 'Content-Type', 'Authorization', 'Idempotency-Key'].map(name => [name.length, name]),
)

/**
 * Returns the fault of a request that repeats a header of one value, of one of HTTP/1.1 without Host (RFC 9112 section 3.2), of
 * one that expects something other than `100-continue` (RFC 9110 section 10.1.1), or of one with a transfer coding besides
 * `chunked` (RFC 9112 section 6.1). Node.js answers the missing Host and the expectation without a body, unless the server has
 * `requireHostHeader: false` and listens for `checkExpectation`. It removes no coding but `chunked`, so the body would be another
 * one.
 */
export function findHeaderFault({ headers, rawHeaders, httpVersion }: IncomingMessage): HeaderFault | undefined {
  const { host, expect, 'transfer-encoding': coding } = headers
  if (host === undefined && httpVersion !== '1.0') return { status: 400, message: 'The header Host is missing.' }
  const repeated = findRepeated(rawHeaders)
  if (repeated !== undefined) return { status: 400, message: `The header ${repeated} must not be repeated.` }
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked')
    return { status: 501, message: 'The header Transfer-Encoding must be chunked or absent.' }
  if (expect === undefined || /(^|\W)100-continue($|\W)/i.test(expect)) return undefined
  return { status: 417, message: 'The header Expect must be 100-continue or absent.' }
}

/** @param rawHeaders names and values alternately, as Node.js has read them */
function findRepeated(rawHeaders: readonly string[]): string | undefined {
  const seen: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    const single = singleHeaders.get(name.length)
    if (single === undefined || name.toLowerCase() !== single.toLowerCase()) continue
    if (seen.includes(single)) return single
    seen.push(single)
  }
  return undefined
}

/** The class of a listener's errors. */
export type Refusal = new (
  code: 'UnsupportedMediaType' | 'UnknownOperation' | 'MethodNotAllowed',
  message: string,
) => Error

/**
 * Checks the encoding of a body before the body is read (RFC 9110 section 15.5.16).
 * @throws Refusal UnsupportedMediaType for every encoding but `identity`
 */
export function checkEncoding({ headers }: FastifyRequest, reply: FastifyReply, Refusal: Refusal): void {
  const encoding = headers['content-encoding'] ?? ''
  if (['', 'identity'].includes(encoding.trim().toLowerCase())) return
  reply.header('accept-encoding', 'identity')
  throw new Refusal('UnsupportedMediaType', 'The header Content-Encoding must be identity or absent.')
}

export const noOperation = 'There is no operation at this path.'

/**
 * Throws for a request that no route matches, and sets Allow when the path exists with another method.
 * @throws Refusal UnknownOperation or MethodNotAllowed
 */
export function rejectNotFound(
  { url }: FastifyRequest,
  reply: FastifyReply,
  allowedMethods: AllowedMethods,
  Refusal: Refusal,
): never {
  const allow = allowedMethods(url).join(', ')
  if (allow === '') throw new Refusal('UnknownOperation', noOperation)
  reply.header('allow', allow)
  throw new Refusal('MethodNotAllowed', `This path requires ${allow}.`)
}

const healthRoutes: ReadonlySet<string | undefined> = new Set(Object.values(healthPaths))

/** True for the route of a health probe. Those are answered while the process stops or is overloaded. */
export function isHealthRoute(route: string | undefined): boolean {
  return healthRoutes.has(route)
}
