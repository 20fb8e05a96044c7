// Baseline of a refusal: a Fastify route that validates a small body, without any code of the service.
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { serveJobs } from '../child.ts'

serveJobs(async (): Promise<string> => {
  const app = fastify()
  const body = {
    type: 'object',
    required: ['shipmentUid'],
    properties: { shipmentUid: { type: 'string', minLength: 1, maxLength: 64 } },
  }
  app.post('/bare', { schema: { body } }, async () => ({ success: true, error: null, message: null }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})
