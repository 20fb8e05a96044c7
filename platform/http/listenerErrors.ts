// The errors of a listener without operations of the service, in the form of the service's errors.
import { maxHeaderSize } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import type { Logger } from 'pino'
import { commonHeaders, failed } from '#contract'
import { type ErrorCode, errors } from '#contract/terms'
import { createLogThrottle } from '#platform/logs'
import { collectMethods } from './allowedMethods.ts'
import { type ClientErrors, rejectConnect, sendClientError } from './clientError.ts'
import {
  checkEncoding,
  findHeaderFault,
  limitArrival,
  limitStall,
  readRequestId,
  rejectNotFound,
  requestIdHeader,
} from './request.ts'

const jsonType = 'application/json; charset=utf-8'

/** An error that the caller of a listener receives. */
export class ListenerError extends Error {
  readonly code: ErrorCode
  /** HTTP status. */
  readonly status: number

  constructor(code: ErrorCode, message: string, status: number = errors[code].status) {
    super(message)
    this.code = code
    this.status = status
  }
}

export interface ListenerErrorsParts {
  /** The name of the listener in messages. */
  readonly name: 'codec server' | 'gateway'
  readonly log: Logger
  /** Milliseconds within which a request must arrive completely. */
  readonly arrivalTimeout: number
  /** Logs a defect, whose caller receives 500. */
  readonly logDefect: (err: unknown, requestId: string) => void
}

/** The parts of a listener that answer requests with errors. */
export interface ListenerErrors {
  readonly options: Pick<FastifyServerOptions, 'genReqId' | 'clientErrorHandler' | 'frameworkErrors'> &
    ReturnType<typeof limitArrival>
  /** Call it before any route is added. */
  addTo(app: FastifyInstance): void
}

export function createListenerErrors({ name, log, arrivalTimeout, logDefect }: ListenerErrorsParts): ListenerErrors {
  const throttled = createLogThrottle()
  const clientErrors: ClientErrors = {
    type: jsonType,
    toBody: message => failed('InvalidRequest', message),
    maxHeaderSize,
    arrivalTimeout,
  }
  // A scan of the network sends many of them, and their lines say little.
  const note = ({ requestId, status, errorCode }: { requestId: string; status: number; errorCode: ErrorCode }) =>
    throttled(String(status), suppressed => log.info({ requestId, status, errorCode, suppressed }, 'request'))

  function send({ code: errorCode, status, message }: ListenerError, { id }: FastifyRequest, reply: FastifyReply) {
    note({ requestId: id, status, errorCode })
    const headers = { ...commonHeaders, [requestIdHeader]: id }
    return reply.code(status).headers(headers).type(jsonType).send(failed(errorCode, message))
  }

  const arrival = limitArrival(arrivalTimeout)
  return {
    options: {
      ...arrival,
      // The onRequest hook below refuses a request without Host.
      http: { ...arrival.http, requireHostHeader: false },
      genReqId: readRequestId,
      clientErrorHandler: (error, socket) => sendClientError(error, socket, clientErrors, note),
      frameworkErrors(_error, request, reply) {
        send(new ListenerError('InvalidRequest', 'The path must have valid percent-encoding.'), request, reply)
      },
    },
    addTo(app) {
      const allowedMethods = collectMethods(app)
      // The same hook refuses unknown expectations.
      app.server.on('checkExpectation', (request, response) => app.routing(request, response))
      rejectConnect(app.server, clientErrors, note)
      app.addHook('onRequest', (request, reply, done) => {
        reply.headers(commonHeaders)
        const fault = findHeaderFault(request.raw)
        if (fault !== undefined) throw new ListenerError('InvalidRequest', fault.message, fault.status)
        if (request.is404) rejectNotFound(request, reply, allowedMethods, ListenerError)
        checkEncoding(request, reply, ListenerError)
        done()
      })
      app.addHook('onSend', (_request, reply, _payload, done) => {
        limitStall(reply)
        done()
      })
      app.setErrorHandler((error, request, reply) => {
        const expected = error instanceof ListenerError ? error : toListenerError(error, name)
        if (expected !== undefined) return send(expected, request, reply)
        // A sender that broke off, or was late, receives nothing more.
        const isGone = request.raw.destroyed && !request.raw.complete
        if (!isGone) logDefect(error, request.id)
        const body = failed('InternalError', `The ${name} failed; the request id is ${request.id}.`)
        return reply.code(500).header(requestIdHeader, request.id).type(jsonType).send(body)
      })
    },
  }
}

/** Maps an error of Fastify about the body of a request; undefined for any other. */
function toListenerError(error: unknown, name: string): ListenerError | undefined {
  const { code = '', statusCode = 500 } = Object(error) as { code?: unknown; statusCode?: unknown }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new ListenerError('UnsupportedMediaType', 'The body must be application/json.')
  if (statusCode === 413) return new ListenerError('RequestTooLarge', `The body is larger than the ${name} accepts.`)
  const isOfCaller = Number(statusCode) >= 400 && Number(statusCode) < 500
  return isOfCaller ? new ListenerError('InvalidRequest', 'The request cannot be read.') : undefined
}
