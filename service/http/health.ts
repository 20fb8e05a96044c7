import type { FastifyInstance } from 'fastify'
import { healthPaths, succeeded } from '#contract'
import { OperationError } from '../operationError.ts'
import type { Store } from '../store/index.ts'
import { serviceStopping } from './failures.ts'

/** Time limit of the query for readiness, in milliseconds. */
const readyTimeout = 2_000

/** Liveness, and readiness: not stopping, and the store responds in time. */
export function healthRoutes(app: FastifyInstance, { store, stopping }: { store: Store; stopping: AbortSignal }): void {
  app.get(healthPaths.live, async () => succeeded)
  app.get(healthPaths.ready, async () => {
    if (stopping.aborted) throw serviceStopping()
    try {
      await store
        .selectFrom('tenants')
        .select('tenant_id')
        .limit(1)
        .execute({ signal: AbortSignal.timeout(readyTimeout) })
    } catch {
      throw new OperationError('Unavailable', 'The store does not respond.')
    }
    return succeeded
  })
}
