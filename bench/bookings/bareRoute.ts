// Baseline of a refusal: a Fastify route that validates a small body, without any code of the service.
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { serveJobs } from '../child.ts'

/** The origin of the route and its process. */
export interface BareRoute {
  readonly origin: string
  readonly pid: number
}

serveJobs(async (): Promise<BareRoute> => {
  const app = fastify()
  const body = {
    type: 'object',
    required: ['shipmentUid'],
    properties: { shipmentUid: { type: 'string', minLength: 1, maxLength: 64 } },
  }
  app.post('/bare', { schema: { body } }, async () => ({ success: true, error: null, message: null }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { origin: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, pid: process.pid }
})
