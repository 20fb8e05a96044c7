import type { FastifyReply } from 'fastify'
import { createUsage } from '#platform/limits'
import type { Caller } from '../auth/index.ts'

/**
 * The responses that callers have not read yet. They take memory of the process that all tenants share. A hook of every
 * request closes those that make no progress.
 */
export interface Unread {
  /** True if the callers of a tenant leave more unread than they may. */
  isExceeded(caller: Pick<Caller, 'tenantId'>): boolean
  /** Counts a response until it is read, or its connection is closed. */
  count(caller: Pick<Caller, 'tenantId'>, reply: FastifyReply, bytes: number): void
}

/** @param max bytes that the callers of a tenant may leave unread */
export function createUnread(max: number): Unread {
  const unread = createUsage()
  return {
    isExceeded: ({ tenantId }) => unread.of(tenantId) > max,
    count({ tenantId }, { raw }, bytes) {
      // A connection that was closed before emits no further `close`.
      if (!raw.destroyed) raw.once('close', unread.begin(tenantId, bytes))
    },
  }
}
