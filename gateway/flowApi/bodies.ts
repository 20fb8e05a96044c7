import type { FastifyInstance } from 'fastify'
import { FlowApiError } from './problem.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses bodies of `application/json`. Fastify's own parser replaces bytes that are not UTF-8, so that two case numbers of a
 * caller with another encoding would become one. An empty body is undefined, for operations that read none.
 */
export function parseBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    if (bytes.length === 0) return done(null, undefined)
    const text = decode(bytes)
    if (text === undefined) return done(notJson())
    // The parser's own message quotes the body, which may contain personal data.
    parse(request, text, (error, value) => (error ? done(notJson()) : done(null, value)))
  })
}

function decode(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

function notJson(): FlowApiError {
  return new FlowApiError('InvalidRequest', 'The body must be JSON in UTF-8, without a key __proto__.')
}
