import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify'
import { CodecError } from '#platform/codec'
import { createListenerErrors, ListenerError, listen } from '#platform/http'
import { toListenerAddress } from '#platform/settings'
import { addHealth } from './health.ts'
import { convertPayloads, MalformedPayloads, mayBePayloads } from './payloads.ts'
import type { CodecServerSettings } from './settings.ts'

/** Bytes. A page of a history has at most 4 MiB, a third more in base64. */
const maxBody = 16 * 1_024 * 1_024

/** Seconds for which a browser remembers the answer to a preflight. */
const preflightAge = 600

/** Milliseconds after which a stop closes the remaining connections. */
const stopTimeout = 8_000

export interface CodecServer {
  /** For instance `http://127.0.0.1:8084`. */
  readonly address: string
  /** Answers the requests in flight and stops, within ten seconds. */
  stop(): Promise<void>
}

/**
 * Starts a codec server.
 * @throws when the port is in use
 */
export async function startCodecServer(settings: CodecServerSettings): Promise<CodecServer> {
  const app = createCodecServer(settings)
  const port = await listen(app, settings)
  return {
    address: toListenerAddress(settings.host, port),
    async stop() {
      // Once it closes, the server no longer ends requests that are late.
      const timer = setTimeout(() => app.server.closeAllConnections(), stopTimeout)
      try {
        const closed = app.close()
        app.server.closeIdleConnections()
        await closed
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/**
 * The HTTP application of Temporal's remote codec protocol: POST /decode, and POST /encode where it is allowed.
 * @param arrivalTimeout milliseconds within which a request must arrive completely
 */
export function createCodecServer(settings: CodecServerSettings, arrivalTimeout = 15_000): FastifyInstance {
  const { dataConverter, namespace, origins, log } = settings
  const { payloadCodecs = [] } = dataConverter
  const listenerErrors = createListenerErrors({
    name: 'codec server',
    log,
    arrivalTimeout,
    logDefect: (err, requestId) =>
      log.error({ logId: 'codec-request-failed', requestId, err }, 'request of the codec server failed'),
  })
  const app = fastify({ bodyLimit: maxBody, ...listenerErrors.options })
  listenerErrors.addTo(app)
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (mayBePayloads(body)) parseJson(request, body, done)
    else done(new ListenerError('RequestTooLarge', 'The body has too many payloads.'))
  })

  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    if (origin === undefined) return
    reply.header('vary', 'Origin')
    if (!origins.includes(origin)) throw new ListenerError('Forbidden', 'The origin must be one of the Web UI.')
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' })
  })

  for (const path of ['/decode', '/encode'] as const) {
    app.options(path, async (_request, reply) =>
      reply
        .headers({
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': 'authorization, content-type, x-namespace',
          'access-control-max-age': String(preflightAge),
        })
        .code(204)
        .send(),
    )
    // Before the body is read.
    const onRequest = async (request: FastifyRequest) => {
      if (request.headers['x-namespace'] !== namespace)
        throw new ListenerError('Forbidden', `X-Namespace: must be ${namespace}.`)
      log.info({ path }, 'codec called')
    }
    app.post(path, { onRequest }, async (request, reply) => {
      try {
        const body = await convertPayloads(payloadCodecs, path === '/decode' ? 'decode' : 'encode', request.body)
        return reply.type('application/json; charset=utf-8').send(body)
      } catch (error) {
        if (error instanceof MalformedPayloads) throw new ListenerError('InvalidRequest', 'The body must be payloads.')
        if (!(error instanceof CodecError)) throw error
        throw new ListenerError('DataNotConverted', error.message, 422)
      }
    })
  }
  addHealth(app)
  return app
}
