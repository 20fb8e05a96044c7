import type { FastifyInstance } from 'fastify'
import { holdFile, pageFiles, policy } from '../reference/index.ts'

const headers = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Asked for again each time, and sent again only when it has changed.
  'cache-control': 'no-cache',
  vary: 'accept-encoding',
} as const

/** The reference page and what it loads, for everybody who reaches the service. */
export function referenceRoutes(app: FastifyInstance): void {
  for (const file of pageFiles) {
    const held = holdFile(file)
    app.get(file.path, async (request, reply) => {
      const { bytes, zipped, tag } = await held()
      reply.headers(headers).header('etag', tag)
      if (request.headers['if-none-match'] === tag) return reply.code(304).send()
      reply.type(file.type)
      if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(bytes)
      return reply.header('content-encoding', 'gzip').send(zipped)
    })
  }
}
