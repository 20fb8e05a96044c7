import type { IncomingMessage, ServerResponse } from 'node:http'
import { commonHeaders } from '#contract'
import { createBodyReader } from './body.ts'
import { createCallbackLog } from './callbackLog.ts'
import { limitSignals } from './limitedSignals.ts'
import { outcomes } from './outcomes.ts'
import { receive } from './receive.ts'
import { type ReceiverSettings, readReceiver, verificationKeys } from './settings.ts'
import { connectSignaller } from './signaller.ts'

/** Receives callbacks in a server of your own. */
export interface CallbackReceiver {
  /** Answers one callback. It reads the body itself, so no parser may come before it. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Closes the connection to Temporal. */
  close(): Promise<void>
}

/**
 * Creates a receiver for a server of your own. Settings that are absent come from the environment, as those of
 * `startGateway` do. The service sends callbacks to the address that ConfigureCallback names, signed with its key.
 *
 * ```ts
 * const receiver = createReceiver({ keys: { current: key } })
 * // node:http: createServer(receiver.handle)
 * // Express: app.post('/callbacks', receiver.handle)
 * // Fastify, in a plugin that has removed the parsers:
 * //   app.removeAllContentTypeParsers()
 * //   app.addContentTypeParser('*', (request, payload, done) => done(null))
 * //   app.post('/callbacks', (request, reply) => {
 * //     reply.hijack()
 * //     return receiver.handle(request.raw, reply.raw)
 * //   })
 * ```
 * @throws SettingsError with every problem of the environment
 */
export function createReceiverFromEnvironment(given: Partial<ReceiverSettings> = {}): CallbackReceiver {
  const settings = readReceiver(given)
  const { keys, uidSignatureScheme, profile, log } = settings
  const signaller = connectSignaller(settings)
  const logCallback = createCallbackLog(log)
  const verification = { keys: verificationKeys(keys), uidSignatureScheme, standardWebhooks: profile.standardWebhooks }
  const parts = { verification, readBody: createBodyReader(), signal: limitSignals(signaller), clock: Date.now }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.readableDidRead) {
      log.error({ logId: 'callback-body-parsed' }, 'callback not received: its body was already parsed')
      respond(response, 500, {})
      return
    }
    const startedAt = performance.now()
    const received = await receive(parts, request.headers, request)
    logCallback(received, performance.now() - startedAt)
    const { outcome, retryAfter } = received
    const { status } = outcomes[outcome]
    const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
    respond(response, status, headers, status === 204 ? undefined : JSON.stringify({ outcome }))
  }

  return {
    handle: (request, response) =>
      handle(request, response).catch(err => {
        // A sender that breaks off gets no response, and retries the callback.
        const isGone = request.destroyed && !request.complete
        if (!isGone) log.error({ logId: 'callback-failed', err }, 'callback not processed')
        response.destroy()
      }),
    close: () => signaller.close(),
  }
}

function respond(response: ServerResponse, status: number, headers: Record<string, string>, body?: string): void {
  const type = body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }
  response.writeHead(status, { ...commonHeaders, ...type, ...headers }).end(body)
}
