import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type HeaderFault, noOperation } from '#platform/http'
import { createLogThrottle } from '#platform/logs'
import { UnknownDataKey } from '../encryption/index.ts'
import { OperationError } from '../operationError.ts'
import { isUnavailable } from '../store/index.ts'
import { isDiskError } from '../suggestions/index.ts'
import { sendResult, toRefusal } from './result.ts'

/** One throttle for the process, since an outage of the store fails every request alike. */
const throttled = createLogThrottle()

export function unknownOperation(): OperationError {
  return new OperationError('UnknownOperation', noOperation)
}

export function serviceStopping(): OperationError {
  return new OperationError('Unavailable', 'The service is stopping.')
}

/** Sends the response for an error that a route or Fastify threw, and logs failures of the service or its store. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Logger): FastifyReply {
  const refusal = toOperationError(error, request)
  if (refusal.code === 'InternalError')
    log.error({ logId: 'request-failed', requestId: request.id, err: error }, 'request failed')
  if (isStoreFault(error))
    throttled(`${error.name} ${error.message}`, suppressed => {
      log.warn(
        { logId: 'store-unavailable', requestId: request.id, err: error, suppressed },
        'request failed: service unavailable',
      )
    })
  if (isDiskError(refusal.cause))
    throttled('disk', suppressed => {
      log.warn(
        { logId: 'upload-not-stored', requestId: request.id, err: refusal.cause, suppressed },
        'uploaded file not stored',
      )
    })
  return sendResult(toRefusal(refusal), request, reply)
}

/** Sends the response to a request whose headers no route accepts. */
export function sendHeaderFault(fault: HeaderFault, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toRefusal(new OperationError('InvalidRequest', fault.message))
  return sendResult({ ...refusal, status: fault.status }, request, reply)
}

/** Other errors of the same code are about one locker, one upload or the load of the service. */
function isStoreFault(error: unknown): error is Error {
  return (isUnavailable(error) && !isAborted(error)) || error instanceof UnknownDataKey
}

/** Returns whether the caller has closed the connection before its body was read. Node.js has no code of its own for it. */
function isAborted(error: unknown): boolean {
  return error instanceof Error && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET'
}

/** Maps any error to the error table. An unexpected error reveals its request id only. */
export function toOperationError(error: unknown, request: Pick<FastifyRequest, 'id'>): OperationError {
  if (error instanceof OperationError) return error
  if (isStoreFault(error)) return new OperationError('Unavailable', 'The service is unavailable; try again.')
  if (isAborted(error))
    return new OperationError('InvalidRequest', 'The connection was closed before the body arrived.')
  const { code, statusCode } = readFrameworkError(error)
  if (code === 'FST_ERR_BAD_URL') return unknownOperation()
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new OperationError('UnsupportedMediaType', 'The body must be application/json.')
  }
  if (statusCode === 413) return new OperationError('RequestTooLarge', 'The body is larger than the service accepts.')
  if (statusCode >= 400 && statusCode < 500) return new OperationError('InvalidRequest', 'The request cannot be read.')
  return new OperationError('InternalError', `The service failed; the request id is ${request.id}.`)
}

function readFrameworkError(error: unknown): { code: string; statusCode: number } {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const statusCode = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  return { code, statusCode: code.startsWith('FST_') || statusCode < 500 ? statusCode : 500 }
}
