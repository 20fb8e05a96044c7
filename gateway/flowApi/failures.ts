import { isGrpcServiceError, ServiceError } from '@temporalio/client'
import { FlowCallError } from '#client'
import { grpcStatuses } from '#contract/terms'
import { CodecError } from '#platform/codec'
import { FlowApiError } from './problem.ts'

/** Codes of calls whose messages have words of Temporal, which can be about the gateway. */
const internal: readonly FlowCallError['code'][] = ['TemporalFailed', 'DataNotConverted']

/** Fastify's codes of errors in the request, with ours. */
const frameworkErrors: Readonly<Record<string, FlowApiError>> = {
  FST_ERR_BAD_URL: new FlowApiError('InvalidRequest', 'The path must have valid percent-encoding.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new FlowApiError('UnsupportedMediaType', 'The body must be application/json.'),
  FST_ERR_CTP_BODY_TOO_LARGE: new FlowApiError('RequestTooLarge', 'The body is larger than the gateway accepts.'),
}

function unprepared(): FlowApiError {
  return new FlowApiError(
    'Unavailable',
    'The namespace of Temporal lacks search attributes; an operator must prepare it.',
  )
}

/** Maps any error to a problem. An unexpected error reveals its request id only. */
export function toFlowApiError(error: unknown, requestId: string): FlowApiError {
  if (error instanceof FlowApiError) return error
  const isFault = error instanceof FlowCallError && internal.includes(error.code)
  if (error instanceof FlowCallError && !isFault) return new FlowApiError(error.code, error.message)
  const failure = isFault ? error.cause : error
  // A setting of the gateway; the message contains neither a value nor a key.
  if (failure instanceof CodecError) return new FlowApiError('InternalError', failure.message)
  const cause = failure instanceof ServiceError ? failure.cause : failure
  if (isGrpcServiceError(cause) && cause.code === grpcStatuses.invalidArgument) {
    // A request cannot name a search attribute, so the namespace is not prepared.
    if (/search attribute/i.test(cause.message)) return unprepared()
    return new FlowApiError('InvalidRequest', 'Temporal rejected a value of the request.')
  }
  const { code = '', statusCode = 500 } = Object(error) as { code?: unknown; statusCode?: unknown }
  const known = frameworkErrors[String(code)]
  if (known !== undefined) return known
  const status = Number(statusCode)
  if (status >= 400 && status < 500) return new FlowApiError('InvalidRequest', 'The request cannot be read.')
  return new FlowApiError('InternalError', `The gateway failed; the request id is ${requestId}.`)
}
