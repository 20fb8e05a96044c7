import type { FastifyReply, FastifyRequest } from 'fastify'
import { Overloaded } from './shedding.ts'

/** Bytes from which a response is counted. */
const leastCounted = 16_384
/** Milliseconds without progress after which the connection of a counted response is closed. */
const stallTimeout = 60_000

/** The responses that callers have not read yet. They take memory of the process that all tenants share (D-387). */
export interface Unread {
  /** @throws Overloaded when the callers of the tenant leave too much unread */
  admit(tenantId: string): void
  /** Counts a response until it is read, or its connection is closed. */
  note(request: FastifyRequest, reply: FastifyReply, payload: unknown): void
}

/** @param most bytes that the callers of a tenant may leave unread */
export function createUnread(most: number): Unread {
  const byTenant = new Map<string, number>()

  function add(tenantId: string, bytes: number): void {
    const left = (byTenant.get(tenantId) ?? 0) + bytes
    if (left > 0) byTenant.set(tenantId, left)
    else byTenant.delete(tenantId)
  }

  return {
    admit(tenantId) {
      if ((byTenant.get(tenantId) ?? 0) > most) throw new Overloaded()
    },
    note({ context: { caller } }, { raw }, payload) {
      const { length } = Object(payload) as { readonly length?: number }
      if (caller === undefined || length === undefined || length < leastCounted) return
      const { tenantId } = caller
      add(tenantId, length)
      raw.once('close', () => add(tenantId, -length))
      raw.setTimeout(stallTimeout, () => raw.destroy())
    },
  }
}
