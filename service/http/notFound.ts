import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { OperationError } from '../operationError.ts'
import { unknownOperation } from './failures.ts'

/** Throws for a request that no route matches, and sets Allow when the path exists with another method. */
export type RejectNotFound = (request: FastifyRequest, reply: FastifyReply) => never

/**
 * Collects the methods of each path; call it before any route is added.
 * @returns a function that throws UnknownOperation or MethodNotAllowed
 */
export function createRejectNotFound(app: FastifyInstance): RejectNotFound {
  const methodsByPath = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPath.get(url) ?? new Set()
    methodsByPath.set(url, methods)
    for (const name of [method].flat()) methods.add(name)
  })
  return (request, reply) => {
    const [path = ''] = request.url.split(/[?#]/)
    const methods = methodsByPath.get(decodePath(path))
    if (methods === undefined) throw unknownOperation()
    const allow = [...methods].join(', ')
    reply.header('allow', allow)
    throw new OperationError('MethodNotAllowed', `This path requires ${allow}.`)
  }
}

/** Decodes as the router does, which leaves reserved characters escaped. It has rejected malformed escapes before. */
function decodePath(path: string): string {
  return path.includes('%') ? decodeURI(path) : path
}
