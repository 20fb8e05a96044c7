import type { FastifyReply, FastifyRequest } from 'fastify'
import { OperationError } from '../operationError.ts'
import { sendResult, toRefusal } from './result.ts'

/** Answers a request with an expectation that the service does not know (RFC 9110 section 10.1.1). */
export function sendExpectationFailed(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toRefusal(new OperationError('InvalidRequest', 'The header Expect must be 100-continue or absent.'))
  return sendResult({ ...refusal, status: 417 }, request, reply)
}

/** True for a request that expects something else than `100-continue`, which Node.js answers itself. */
export function hasUnknownExpectation({ headers }: FastifyRequest): boolean {
  return headers.expect !== undefined && !/(^|\W)100-continue($|\W)/i.test(headers.expect)
}

/**
 * Checks the encoding of a body before the body is read (RFC 9110 section 15.5.16).
 * @throws OperationError UnsupportedMediaType for every encoding but `identity`
 */
export function checkEncoding({ headers }: FastifyRequest, reply: FastifyReply): void {
  const encoding = headers['content-encoding'] ?? ''
  if (['', 'identity'].includes(encoding.trim().toLowerCase())) return
  reply.header('accept-encoding', 'identity')
  throw new OperationError('UnsupportedMediaType', 'The header Content-Encoding must be identity or absent.')
}
