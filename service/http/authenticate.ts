import type { FastifyRequest } from 'fastify'
import type { OperationName } from '#contract'
import { type Caller, missingToken, type VerifyBearer } from '../auth/index.ts'
import { OperationError } from '../operationError.ts'
import type { RateLimit } from './rateLimit.ts'

/** Returns the `onRequest` hook of an operation, which runs before the body is read. */
export type Authenticate = (name: OperationName) => (request: FastifyRequest) => Promise<void>

export interface AuthenticateParts {
  readonly verifyBearer: VerifyBearer
  /** Undefined without a limit. */
  readonly rateLimit: Pick<RateLimit, 'take'> | undefined
}

/** Checks the access token, then the rate limit. The hook throws Unauthorized, Forbidden or RateLimited. */
export function createAuthenticate({ verifyBearer, rateLimit }: AuthenticateParts): Authenticate {
  return name => async request => {
    request.context.operation = name
    const caller = await verifyBearer(request.headers.authorization)
    request.context.caller = caller
    const retryAfter = rateLimit?.take(caller.clientId) ?? 0
    if (retryAfter > 0) throw new OperationError('RateLimited', 'Too many requests; try again later.', { retryAfter })
  }
}

/** @throws OperationError Unauthorized when the request was not authenticated */
export function requireCaller({ context: { caller } }: FastifyRequest): Caller {
  if (caller === undefined) throw missingToken()
  return caller
}
