import type { ErrorCode } from '#contract/terms'
import type { Caller, TokenFailure } from '../signIn/index.ts'

/** What is known of a request beside its bytes, gathered on its way; all that is ever logged of it. */
export interface Facts {
  /** From `process.hrtime`-like clocks; milliseconds. */
  readonly started: number
  operation?: string
  caller?: Caller
  error?: ErrorCode | TokenFailure['code']
}

declare module 'fastify' {
  interface FastifyRequest {
    facts: Facts
  }
}
