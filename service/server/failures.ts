import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Envelope } from '#contract'
import { type ErrorCode, errors } from '#contract/terms'
import { Refusal } from '../operations/call.ts'
import { storeIsAway } from '../store/index.ts'

const realm = 'Bearer realm="lockerflow"'
/** Seconds after which a caller may ask again when nobody knows better. */
const comeBack = 1

/** The body of every answer that is a no. */
export function refusalBody({ code, message }: { code: ErrorCode; message: string }): Envelope {
  return { success: false, error: code, message }
}

/** Answers a request that failed, in the one shape that failures have. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Logger): FastifyReply {
  const refusal = refusalOf(error, request)
  if (refusal.code === 'InternalError') log.error({ requestId: request.id, err: error }, 'request failed')
  if (refusal.code === 'Unavailable') log.warn({ requestId: request.id, err: error }, 'request not answered')
  request.facts.error = refusal.code
  const { status } = errors[refusal.code]
  if (status === 401) {
    reply.header('www-authenticate', request.headers.authorization ? `${realm}, error="invalid_token"` : realm)
  }
  if (status === 403) reply.header('www-authenticate', `${realm}, error="insufficient_scope"`)
  if (status === 429 || status === 503) reply.header('retry-after', String(refusal.retryAfter ?? comeBack))
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(refusalBody(refusal)))
}

/** What a failure is called outside; whatever nobody foresaw tells its request id and nothing more. */
function refusalOf(error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error
  if (storeIsAway(error)) return new Refusal('Unavailable', 'The service cannot answer now; try again.')
  const { code, statusCode } = frameworkError(error)
  if (code === 'FST_ERR_BAD_URL') return new Refusal('UnknownOperation', 'There is no operation at this path.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Refusal('UnsupportedMediaType', 'The body has to be application/json.')
  }
  if (statusCode === 413) return new Refusal('RequestTooLarge', 'The body is larger than the service accepts.')
  if (statusCode >= 400 && statusCode < 500) return new Refusal('InvalidRequest', 'The request cannot be read.')
  return new Refusal('InternalError', `The service failed; the request id is ${request.id}.`)
}

function frameworkError(error: unknown): { code: string; statusCode: number } {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const statusCode = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  return { code, statusCode: code.startsWith('FST_') || statusCode < 500 ? statusCode : 500 }
}
