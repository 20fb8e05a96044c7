import type { FastifyInstance } from 'fastify'
import { healthPaths, toReadiness } from '#contract'

/** Adds the routes of health probes. The server needs no other part, so it is ready once it listens. */
export function addHealth(app: FastifyInstance): void {
  app.get(healthPaths.live, async () => ({ live: true }))
  app.get(healthPaths.ready, async () => toReadiness([]))
}
