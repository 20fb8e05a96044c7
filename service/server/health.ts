import type { FastifyInstance } from 'fastify'
import { healthPaths, succeeded } from '#contract'
import { Refusal } from '../operations/call.ts'
import type { Store } from '../store/index.ts'

/** How long the store may take to answer, in milliseconds. */
const patience = 2_000

/** Whether the process is alive, and whether it can take requests. */
export function healthRoutes(
  app: FastifyInstance,
  { store, stopping }: { store: Store; stopping: () => boolean },
): void {
  app.get(healthPaths.live, async () => succeeded)
  app.get(healthPaths.ready, async () => {
    if (stopping()) throw new Refusal('Unavailable', 'The service is stopping.')
    try {
      await store
        .selectFrom('tenants')
        .select('tenant_id')
        .limit(1)
        .execute({ signal: AbortSignal.timeout(patience) })
    } catch {
      throw new Refusal('Unavailable', 'The store does not answer.')
    }
    return succeeded
  })
}
