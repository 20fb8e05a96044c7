import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { toThrottleAddress } from '#platform/http'

/** Milliseconds of a tenant's rate that may arrive at once. */
const burst = 500
/** Callers whose bytes are remembered before those without a delay are forgotten. */
const maxRemembered = 1_000

/** Delays the reading of bodies, so that the bytes of one tenant leave processor time to the others (D-175). */
export interface BodyRate {
  /** Counts bytes that were read. */
  spend(request: FastifyRequest, bytes: number): void
  /** Resolves when more bytes of the tenant may be read. Undefined if they may be read now. */
  ready(request: FastifyRequest): Promise<void> | undefined
}

/** @param perSecond bytes per second and tenant, and per address without a token */
export function createBodyRate(perSecond: number): BodyRate {
  /** The time at which the bytes that were read are paid for. */
  const paidAt = new Map<string, number>()

  function forgetPaid(now: number): void {
    for (const [key, time] of paidAt) if (time <= now) paidAt.delete(key)
  }

  return {
    spend(request, bytes) {
      const now = performance.now()
      const key = keyOf(request)
      if (paidAt.size >= maxRemembered) forgetPaid(now)
      paidAt.set(key, Math.max(now, paidAt.get(key) ?? 0) + (bytes / perSecond) * 1_000)
    },
    ready(request) {
      const wait = (paidAt.get(keyOf(request)) ?? 0) - performance.now() - burst
      return wait > 0 ? delay(wait) : undefined
    },
  }
}

function keyOf({ context: { caller }, ip }: FastifyRequest): string {
  return caller === undefined ? `address ${toThrottleAddress(ip)}` : `tenant ${caller.tenantId}`
}
