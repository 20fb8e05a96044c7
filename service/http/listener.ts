import { maxHeaderSize } from 'node:http'
import { type FastifyInstance, fastify } from 'fastify'
import { failed } from '#contract'
import { type ClientErrors, limitArrival, readRequestId, rejectConnect, sendClientError } from '#platform/http'
import { toFastifyTrust } from '#platform/settings'
import type { ServiceAppParts } from './appParts.ts'
import { sendFailure } from './failures.ts'
import { beginRequest } from './requestHooks.ts'
import { logRequest } from './requestLog.ts'
import { jsonType } from './result.ts'

/** Creates the HTTP server without hooks and routes. It answers requests that never reach a hook. */
export function createListener(parts: ServiceAppParts): FastifyInstance {
  const { requestTimeout, log } = parts
  const arrival = limitArrival(requestTimeout)
  const clientErrors: ClientErrors = {
    type: jsonType,
    toBody: message => failed('InvalidRequest', message),
    maxHeaderSize,
    arrivalTimeout: requestTimeout,
  }
  const note = (line: object) => log.info(line, 'request')
  const app = fastify({
    bodyLimit: parts.bodyLimit,
    ...arrival,
    trustProxy: toFastifyTrust(parts.trustProxy),
    // The onRequest hook refuses a request without Host.
    http: { ...arrival.http, requireHostHeader: false },
    genReqId: readRequestId,
    // The onRequest hook responds in the service's own shape before the connection closes.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => sendClientError(error, socket, clientErrors, note),
    frameworkErrors(error, request, reply) {
      beginRequest(parts, request, reply)
      sendFailure(error, request, reply, log)
      // Framework errors skip the onResponse hook.
      logRequest(log, request, reply)
    },
  })
  // The onRequest hook refuses unknown expectations too.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  rejectConnect(app.server, clientErrors, note)
  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply, log))
  return app
}
