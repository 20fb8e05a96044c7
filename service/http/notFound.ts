import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AllowedMethods } from '#http'
import { OperationError } from '../operationError.ts'
import { unknownOperation } from './failures.ts'

/**
 * Throws for a request that no route matches, and sets Allow when the path exists with another method.
 * @throws OperationError UnknownOperation or MethodNotAllowed
 */
export function rejectNotFound({ url }: FastifyRequest, reply: FastifyReply, allowedMethods: AllowedMethods): never {
  const allow = allowedMethods(url).join(', ')
  if (allow === '') throw unknownOperation()
  reply.header('allow', allow)
  throw new OperationError('MethodNotAllowed', `This path requires ${allow}.`)
}
