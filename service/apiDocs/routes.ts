import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { documentPath, type OperationName, openApiDocument, type UidSignatureScheme } from '#contract'
import { cacheFile, pageFiles } from './files.ts'
import { contentSecurityPolicy } from './page.ts'

export interface DocumentParts {
  readonly names: readonly OperationName[]
  readonly address: () => string
  readonly uidSignatureScheme: UidSignatureScheme
}

const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  // Browsers revalidate each time and get 304 while the file is unchanged.
  'cache-control': 'no-cache',
  vary: 'accept-encoding',
} as const

/** Serves the OpenAPI document of the given operations. */
export function documentRoute(app: FastifyInstance, { names, address, uidSignatureScheme }: DocumentParts): void {
  let text: string | undefined
  app.get(documentPath, async (_request, reply) => {
    // Built on the first request: it takes longer than the rest of the start.
    text ??= JSON.stringify(openApiDocument({ names, baseUrl: address(), version: readVersion(), uidSignatureScheme }))
    return reply.type('application/json; charset=utf-8').send(text)
  })
}

/** Serves the reference page and its files, without authentication. */
export function pageRoutes(app: FastifyInstance): void {
  for (const file of pageFiles) {
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

/** The version of the service in package.json. */
function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return String(version)
}
