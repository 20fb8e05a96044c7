import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Caller, VerifyBearer } from '../auth/index.ts'
import { OperationError } from '../operationError.ts'
import type { RateLimit } from './rateLimit.ts'
import { Overloaded } from './shedding.ts'
import type { Unread } from './unread.ts'

/** Returns the `onRequest` hook of an operation, which runs before the body is read. The request log contains its name. */
export type Authenticate = (name: string) => onRequestHookHandler

export interface AuthenticateParts {
  readonly verifyBearer: VerifyBearer
  /** Undefined without a limit. */
  readonly rateLimit: Pick<RateLimit, 'take'> | undefined
  readonly unread: Unread
}

/** Checks the access token, then the limits. The hook throws Unauthorized, Forbidden, RateLimited or Overloaded. */
export function createAuthenticate({ verifyBearer, rateLimit, unread }: AuthenticateParts): Authenticate {
  function accept({ context }: FastifyRequest, caller: Caller): void {
    context.caller = caller
    context.unread = unread
    limitRate(rateLimit, caller.clientId)
    if (unread.isExceeded(caller)) throw new Overloaded()
  }

  return name => (request, _reply, done) => {
    request.context.operation = name
    const caller = verifyBearer(request.headers.authorization)
    if (caller instanceof Promise)
      return void caller.then(verified => accept(request, verified)).then(() => done(), done)
    accept(request, caller)
    done()
  }
}

/** @throws OperationError RateLimited when a client has made too many requests */
export function limitRate(rateLimit: AuthenticateParts['rateLimit'], clientId: string): void {
  const retryAfter = rateLimit?.take(clientId) ?? 0
  if (retryAfter > 0) throw new OperationError('RateLimited', 'Too many requests; try again later.', { retryAfter })
}
