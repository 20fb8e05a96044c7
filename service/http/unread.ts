import type { FastifyReply } from 'fastify'
import type { Caller } from '../auth/index.ts'

/**
 * The responses that callers have not read yet. They take memory of the process that all tenants share (D-387). A hook of every
 * request closes those that make no progress.
 */
export interface Unread {
  /** Bytes that the callers of a tenant may leave unread. */
  readonly most: number
  /** Bytes by tenant. */
  readonly byTenant: ReadonlyMap<string, number>
  /** Counts a response until it is read, or its connection is closed. */
  count(caller: Caller, reply: FastifyReply, bytes: number): void
}

export function createUnread(most: number): Unread {
  const byTenant = new Map<string, number>()

  function add(tenantId: string, bytes: number): void {
    const left = (byTenant.get(tenantId) ?? 0) + bytes
    if (left > 0) byTenant.set(tenantId, left)
    else byTenant.delete(tenantId)
  }

  return {
    most,
    byTenant,
    count({ tenantId }, { raw }, bytes) {
      // A connection that was closed before emits no further `close`.
      if (raw.destroyed) return
      add(tenantId, bytes)
      raw.once('close', () => add(tenantId, -bytes))
    },
  }
}
