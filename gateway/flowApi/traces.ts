import type { FastifyInstance } from 'fastify'
import type { Tracing } from '#platform/telemetry'
import { elapsedOf, type FlowApiContext } from './requestLog.ts'

/**
 * Records a span for each request of a caller with a valid token, and continues the caller's trace. Requests
 * without one record nothing, so that a forger cannot fill the collector.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  // With a callback, so that the handler runs inside of the span. Not before the body is read: code that runs on the
  // events of the body loses the active span. Before the body is checked, so that a refusal has a span too.
  app.addHook('preValidation', (request, _reply, done) => {
    const { operation, caller } = request.flowApi
    if (operation === undefined || caller === undefined) return done()
    const span = tracing.startSpan({
      name: operation,
      kind: 'server',
      parent: request.headers,
      startTime: Date.now() - Math.round(elapsedOf(request.flowApi)),
      attributes: {
        'http.request.method': request.method,
        'http.route': request.routeOptions.url,
        'lockerflow.operation': operation,
      },
    })
    request.flowApi.span = span
    span.run(done)
  })
}

/** Ends the span of a request, if it has one. */
export function endSpan({ span, errorCode }: FlowApiContext, status: number): void {
  span?.setAttributes({ 'http.response.status_code': status, 'lockerflow.error_code': errorCode })
  if (status >= 500) span?.fail(errorCode ?? String(status))
  span?.end()
}
