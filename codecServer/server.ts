import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { CodecError, type PersonalKeys } from '#codec'
import { healthPaths, type Missing, toReadiness } from '#contract'
import { createListenerErrors, KeysUnavailable, ListenerError } from '#http'
import { createLogThrottle } from '#logs'
import { convertPayloads, MalformedPayloads, mayBePayloads } from './payloads.ts'
import type { CodecServerSettings } from './settings.ts'
import { challengeOf, createAuthenticate } from './signIn.ts'

/** Bytes. A page of a history has at most 4 MiB, a third more in base64. */
const maxBody = 16 * 1_024 * 1_024

/** Seconds for which a browser remembers the answer to a preflight. */
const preflightAge = 600

/** Limit of the read, in milliseconds: less than that of a health check. */
const keyStoreTimeout = 2_000

/**
 * The HTTP application of Temporal's remote codec protocol: POST /decode, and POST /encode where it is allowed.
 * @param arrivalTimeout milliseconds within which a request must arrive completely
 */
export function createCodecServer(settings: CodecServerSettings, arrivalTimeout = 15_000): FastifyInstance {
  const { dataConverter, keys, namespace, signIn, origins, encodes, log } = settings
  const { payloadCodecs = [] } = dataConverter
  const authenticate = createAuthenticate(signIn)
  const throttled = createLogThrottle()
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

  /**
   * Returns the caller's name.
   * @throws ListenerError Unauthorized or Unavailable
   */
  async function requireUser(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const user = await authenticate(request.headers.authorization).catch(error => {
      if (!(error instanceof KeysUnavailable)) throw error
      throttled('keys', suppressed =>
        log.warn({ logId: 'codec-issuer-keys-unavailable', err: error, suppressed }, 'keys of the issuer not read'),
      )
      throw new ListenerError('Unavailable', 'The keys of the issuer were not read. Try again later.')
    })
    if (user !== undefined) return user
    const { ip } = request
    throttled(ip, suppressed => log.warn({ logId: 'codec-sign-in-failed', ip, suppressed }, 'codec sign-in failed'))
    reply.header('www-authenticate', challengeOf(signIn))
    throw new ListenerError('Unauthorized', 'The Authorization header must have valid credentials.')
  }

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
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      const user = await requireUser(request, reply)
      if (path === '/encode' && !encodes)
        throw new ListenerError(
          'Forbidden',
          'This codec server only decodes. LOCKERFLOW_CODEC_ENCODE=true lets it encode.',
        )
      if (request.headers['x-namespace'] !== namespace)
        throw new ListenerError('Forbidden', `X-Namespace: must be ${namespace}.`)
      log.info({ user, path }, 'codec called')
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
  // A browser asks for name and password only on a page of its own, and sends them from the Web UI then.
  app.get('/', async (request, reply) => {
    await requireUser(request, reply)
    return { message: 'Signed in. The Web UI can decode now.' }
  })
  app.get(healthPaths.live, async () => ({ live: true }))
  app.get(healthPaths.ready, async (_request, reply) => {
    const reason = await findKeyStoreFault(keys)
    if (reason !== undefined)
      throttled('keyStore', suppressed =>
        log.warn({ logId: 'codec-key-store-unavailable', reason, suppressed }, 'store of the keys of persons not read'),
      )
    const body = toReadiness(reason === undefined ? [] : [keyStoreMissing])
    return reply.code(body.ready ? 200 : 503).send(body)
  })
  return app
}

/** Everyone reads the health check, so the address of the store is only in the log. */
const keyStoreMissing = {
  name: 'keyStore',
  reason: 'the store of the keys of persons was not read; the log line codec-key-store-unavailable says why',
} as const satisfies Missing

/** Reads the store of the keys of persons, without which a codec server decodes no names and addresses. */
async function findKeyStoreFault(keys: Pick<PersonalKeys, 'check'> | undefined): Promise<string | undefined> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(reject, keyStoreTimeout, new Error(`no answer within ${keyStoreTimeout} ms`))
  try {
    await Promise.race([keys?.check(), timedOut])
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    clearTimeout(timer)
  }
}
