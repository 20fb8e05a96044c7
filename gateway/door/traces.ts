import type { FastifyInstance } from 'fastify'
import type { Tracing } from '#telemetry'
import { elapsedOf } from './requestLog.ts'

/**
 * Records a span for each request of a caller with a valid token, and continues the caller's trace (D-242). Requests
 * without one record nothing, so that a forger cannot fill the collector.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  // With a callback, so that the handler runs inside of the span. After the body, whose events lose it.
  app.addHook('preHandler', (request, _reply, done) => {
    const { operation, caller } = request.door
    if (operation === undefined || caller === undefined) return done()
    const span = tracing.startSpan({
      name: operation,
      kind: 'server',
      parent: request.headers,
      startTime: Date.now() - Math.round(elapsedOf(request.door)),
      attributes: {
        'http.request.method': request.method,
        'http.route': request.routeOptions.url,
        'lockerflow.operation': operation,
      },
    })
    request.door.span = span
    span.run(done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { span, errorCode } = request.door
    span?.setAttributes({ 'http.response.status_code': reply.statusCode, 'lockerflow.error_code': errorCode })
    if (reply.statusCode >= 500) span?.fail(errorCode ?? String(reply.statusCode))
    span?.end()
    done()
  })
}
