import type { FastifyReply, FastifyRequest } from 'fastify'
import { failed, type OperationName, operations, type ResponseOf, succeeded } from '#contract'
import { type ErrorCode, errors } from '#contract/terms'
import { bearerRealm, toChallenge } from '#platform/http'
import type { OperationError } from '../operationError.ts'

/** The response of an operation, ready to be sent and to be stored for its Idempotency-Key. */
export interface OperationResult {
  /** HTTP status. */
  readonly status: number
  /** JSON. */
  readonly body: string
  readonly errorCode: ErrorCode | undefined
  /** Seconds. */
  readonly retryAfter?: number | undefined
  /** The account that the body contains, whose removal also changes a stored response. */
  readonly userUid?: string | undefined
  /** It was stored for an earlier request with the same Idempotency-Key. */
  readonly repeated?: true
}

export const jsonType = 'application/json; charset=utf-8'
/** Characters from which a response counts as unread. */
const minCounted = 16_384
/** Seconds in Retry-After when a 429 or 503 has no better value. */
const defaultRetryAfter = 1

/** A success: the fields of the operation in the order and spelling of the contract, then the envelope. */
export function toSuccess<Name extends OperationName>(name: Name, response: ResponseOf<Name>): OperationResult {
  const body = JSON.stringify(Object.assign(pickFields(name, response), succeeded))
  return { status: 200, body, errorCode: undefined, userUid: readUserUid(response) }
}

/** A refusal or failure; fields of the error come before the envelope. */
export function toRefusal(error: OperationError, name?: OperationName): OperationResult {
  const { code, message, retryAfter, response } = error
  const fields = name && response && pickFields(name, response)
  const envelope = failed(code, message)
  const body = JSON.stringify(fields === undefined ? envelope : { ...fields, ...envelope })
  return { status: errors[code].status, body, errorCode: code, retryAfter, userUid: response && readUserUid(response) }
}

/** Sends a result with the headers that its status requires. */
export function sendResult(
  { status, body, errorCode, retryAfter, repeated }: OperationResult,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (errorCode !== undefined) request.context.errorCode = errorCode
  if (repeated) request.context.repeated = repeated
  const retry = retryAfter ?? (status === 429 || status === 503 ? defaultRetryAfter : undefined)
  if (retry !== undefined) reply.header('retry-after', String(retry))
  if (status === 401 && !reply.hasHeader('www-authenticate')) {
    reply.header('www-authenticate', toChallenge(request.headers.authorization))
  }
  const { caller, unread } = request.context
  if (body.length >= minCounted && caller !== undefined) unread?.count(caller, reply, body.length)
  if (status === 403) reply.header('www-authenticate', `${bearerRealm}, error="insufficient_scope"`)
  return reply.code(status).type(jsonType).send(body)
}

function readUserUid(response: object): string | undefined {
  return 'userUid' in response && typeof response.userUid === 'string' ? response.userUid : undefined
}

/** The fields of each response that was sent: zod makes an object of all of them at each use of a shape. */
const responseFields = new Map<OperationName, readonly string[]>()

function fieldsOf(name: OperationName): readonly string[] {
  const fields = responseFields.get(name) ?? Object.keys(operations[name].response.shape)
  responseFields.set(name, fields)
  return fields
}

function pickFields(name: OperationName, response: object): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const field of fieldsOf(name)) fields[field] = (response as Record<string, unknown>)[field]
  return fields
}
