import type { FastifyInstance } from 'fastify'
import { cacheFile, pageFiles } from './files.ts'
import { contentSecurityPolicy, type ReferencePage } from './page.ts'

const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  // Browsers revalidate each time and get 304 while the file is unchanged.
  'cache-control': 'no-cache',
  vary: 'accept-encoding',
} as const

/** Serves the reference page of the document of the listener, and its files, without authentication. */
export function referencePageRoutes(app: FastifyInstance, page: ReferencePage): void {
  for (const file of pageFiles(page)) {
    const readCached = cacheFile(file)
    app.get(file.path, async (request, reply) => {
      const { bytes, gzipped, etag } = await readCached()
      reply.headers(pageHeaders).header('etag', etag)
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      reply.type(file.type)
      if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(bytes)
      return reply.header('content-encoding', 'gzip').send(gzipped)
    })
  }
}
