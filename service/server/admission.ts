import type { FastifyRequest } from 'fastify'
import type { OperationName } from '#contract'
import { Refusal } from '../operations/call.ts'
import type { Caller, TokenCheck } from '../signIn/index.ts'
import type { RateLimit } from './rateLimit.ts'

/** What is checked of every call of an operation before its body: token, then rate. */
export type Admission = (name: OperationName) => (request: FastifyRequest) => Promise<void>

export interface AdmissionParts {
  readonly check: TokenCheck
  readonly rateLimit: RateLimit
}

/** The hook throws Refusal Unauthorized, Forbidden, RateLimited. */
export function createAdmission({ check, rateLimit }: AdmissionParts): Admission {
  return name => async request => {
    request.facts.operation = name
    const caller = await check(request.headers.authorization)
    request.facts.caller = caller
    const wait = rateLimit(caller.clientId)
    if (wait > 0) throw new Refusal('RateLimited', 'Too many requests; try again later.', { retryAfter: wait })
  }
}

/** Who was admitted. */
export function callerOf({ facts: { caller } }: FastifyRequest): Caller {
  if (caller === undefined) throw new Refusal('Unauthorized', 'An access token is needed.')
  return caller
}
