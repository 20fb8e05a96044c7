import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type FastifyInstance, fastify } from 'fastify'
import { documentPath, pagePath } from '#contract'
import { contentSecurityPolicy, pageHtml, type ReferencePage, scriptPath, startPath, startScript } from './page.ts'

/** The OpenAPI document of a listener, with the reference page of it. */
export interface ApiDocs extends ReferencePage {
  /** @param version of the project */
  createDocument(version: string): object
}

/** A file of the reference page. */
export interface PageFile {
  readonly path: string
  readonly type: string
  /** Reads the text; called on the first request only. */
  read(): Promise<string>
}

const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  // Browsers revalidate each time and get 304 while the file is unchanged.
  'cache-control': 'no-cache',
  vary: 'accept-encoding',
} as const

/** All files that a browser requests for the page, except the OpenAPI document. */
function pageFiles(page: ReferencePage): readonly PageFile[] {
  return [
    { path: pagePath, type: 'text/html; charset=utf-8', read: async () => pageHtml(page) },
    { path: startPath, type: 'text/javascript; charset=utf-8', read: async () => startScript(page) },
    { path: scriptPath, type: 'text/javascript; charset=utf-8', read: readScript },
  ]
}

/** A file in memory, ready to be sent. */
export interface CachedFile {
  readonly bytes: Buffer
  readonly gzipped: Buffer
  /** A hash of the bytes. */
  readonly etag: string
}

/** Returns a reader that reads the file once. A failed read is retried at the next request. */
function cacheFile({ read }: PageFile): () => Promise<CachedFile> {
  let cached: Promise<CachedFile> | undefined
  async function load(): Promise<CachedFile> {
    const bytes = Buffer.from(await read())
    const digest = createHash('sha256').update(bytes).digest('base64url')
    return { bytes, gzipped: await promisify(gzip)(bytes), etag: `"${digest}"` }
  }
  return () => {
    cached ??= load().catch(error => {
      cached = undefined
      throw error
    })
    return cached
  }
}

/**
 * Reads the script of the reference page. Its package exports a Fastify plugin only, whose own page needs an inline
 * script, so a second application registers the plugin and is asked for the script. The package that has the script as a
 * file (`@scalar/api-reference`) does not export it and brings 27 dependencies.
 */
async function readScript(): Promise<string> {
  // Four megabytes, loaded on the first request for the page only.
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const app = fastify()
  await app.register(reference, { routePrefix: '/reference', configuration: { url: '/' } })
  const { statusCode, body } = await app.inject('/reference/js/scalar.js')
  await app.close()
  if (statusCode !== 200) throw new Error(`the script of the reference page has status ${statusCode}`)
  return body
}

/** Serves the OpenAPI document of a listener, its reference page and the files of the page, without authentication. */
export function apiDocsRoutes(app: FastifyInstance, docs: ApiDocs): void {
  let text: string | undefined
  app.get(documentPath, async (_request, reply) => {
    // Built on the first request: it takes longer than the rest of the start.
    text ??= JSON.stringify(docs.createDocument(readVersion()))
    return reply.type('application/json; charset=utf-8').send(text)
  })
  for (const file of pageFiles(docs)) {
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

/** The version of the project in package.json. */
function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  return String(version)
}
