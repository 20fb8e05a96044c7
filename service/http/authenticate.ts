import type { FastifyRequest } from 'fastify'
import type { OperationName } from '#contract'
import { type Caller, missingToken, type VerifyBearer } from '../auth/index.ts'
import { OperationError } from '../operationError.ts'

/** Returns the `onRequest` hook of an operation, which runs before the body is read. */
export type Authenticate = (name: OperationName) => (request: FastifyRequest) => Promise<void>

export interface AuthenticateParts {
  readonly verifyBearer: VerifyBearer
  /** Requests per second and API client; 0 is no limit. */
  readonly rateLimit: number
  readonly clock: () => number
}

/** Checks the access token, then the rate limit. The hook throws Unauthorized, Forbidden or RateLimited. */
export function createAuthenticate({ verifyBearer, rateLimit, clock }: AuthenticateParts): Authenticate {
  const takeToken = createRateLimit(rateLimit, clock)
  return name => async request => {
    request.context.operation = name
    const caller = await verifyBearer(request.headers.authorization)
    request.context.caller = caller
    const retryAfter = takeToken(caller.clientId)
    if (retryAfter > 0) throw new OperationError('RateLimited', 'Too many requests; try again later.', { retryAfter })
  }
}

/** @throws OperationError Unauthorized when the request was not authenticated */
export function requireCaller({ context: { caller } }: FastifyRequest): Caller {
  if (caller === undefined) throw missingToken()
  return caller
}

interface Bucket {
  tokens: number
  filledAt: number
}

/**
 * A token bucket per API client with bursts of twice the rate (D-010). The returned function takes a token and returns
 * 0, or the seconds until one is free. It counts per process, and memory grows with the number of clients only.
 */
function createRateLimit(perSecond: number, clock: () => number): (clientId: string) => number {
  if (perSecond === 0) return () => 0
  const burst = Math.max(1, perSecond * 2)
  const buckets = new Map<string, Bucket>()
  return clientId => {
    const now = clock()
    const bucket = buckets.get(clientId) ?? { tokens: burst, filledAt: now }
    buckets.set(clientId, bucket)
    // A clock that is set back must not drain the bucket.
    const elapsed = Math.max(0, now - bucket.filledAt) / 1_000
    bucket.tokens = Math.min(burst, bucket.tokens + elapsed * perSecond)
    bucket.filledAt = now
    if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond))
    bucket.tokens -= 1
    return 0
  }
}
