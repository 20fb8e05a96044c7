import type { FastifyInstance } from 'fastify'
import type { ServiceAppParts } from './appParts.ts'
import { createBodyRate } from './bodyRate.ts'
import { createListener } from './listener.ts'
import { addRequestHooks } from './requestHooks.ts'
import { addRoutes } from './routes.ts'

export type ServiceApp = FastifyInstance

/** Creates the HTTP application with a route for each operation that has a handler in this environment. */
export function createServiceApp(parts: ServiceAppParts): ServiceApp {
  const app = createListener(parts)
  const bodyRate = parts.bodyRate > 0 ? createBodyRate(parts.bodyRate) : undefined
  addRequestHooks(app, parts, bodyRate)
  parts.observer?.observeServer(app)
  addRoutes(app, parts, bodyRate)
  return app
}
