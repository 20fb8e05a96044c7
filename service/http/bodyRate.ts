import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { toThrottleAddress } from '#platform/http'
import { createRateLimiter } from '#platform/limits'

/** Seconds of a tenant's rate that may arrive at once. */
const burst = 0.5

/** Delays the reading of bodies, so that the bytes of one tenant leave processor time to the others. */
export interface BodyRate {
  /** Counts bytes that were read. */
  spend(request: FastifyRequest, bytes: number): void
  /** Resolves when more bytes of the tenant may be read. Undefined if they may be read now. */
  ready(request: FastifyRequest): Promise<void> | undefined
}

/** @param perSecond bytes per second and tenant, and per address without a token */
export function createBodyRate(perSecond: number): BodyRate {
  const interval = 1_000 / perSecond
  const limiter = createRateLimiter({ burst: burst * perSecond, interval })
  return {
    spend: (request, bytes) => limiter.spend(keyOf(request), bytes),
    ready(request) {
      const left = limiter.left(keyOf(request))
      return left < 0 ? delay(-left * interval) : undefined
    },
  }
}

function keyOf({ context: { caller }, ip }: FastifyRequest): string {
  return caller === undefined ? `address ${toThrottleAddress(ip)}` : `tenant ${caller.tenantId}`
}
