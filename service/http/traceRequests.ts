import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isHealthRoute } from '#platform/http'
import type { OpenSpan, Tracing } from '#platform/telemetry'

/**
 * Records a span for each request, health probes excepted. It begins when the caller is known, with the time of the
 * arrival: a caller without a valid token must not decide what is recorded, so its span
 * begins a trace.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  function startSpan({ context, routeOptions, headers, method }: FastifyRequest): OpenSpan {
    const { operation, caller, startedAt } = context
    const { url: route } = routeOptions
    const span = tracing.startSpan({
      name: operation ?? route ?? 'unknown route',
      kind: 'server',
      parent: caller !== undefined ? headers : 'none',
      startTime: Date.now() - Math.round(performance.now() - startedAt),
    })
    context.span = span
    if (span.isSampled) {
      span.setAttributes({
        'http.request.method': method,
        'http.route': route,
        'lockerflow.operation': operation,
        'lockerflow.tenant_id': caller?.tenantId,
      })
    }
    return span
  }

  // With a callback, so that the handler runs inside of the span. After the body, whose events lose it.
  app.addHook('preHandler', (request, _reply, done) => {
    if (isHealthRoute(request.routeOptions.url)) done()
    else startSpan(request).run(done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (!isHealthRoute(request.routeOptions.url)) {
      const { errorCode, span = startSpan(request) } = request.context
      if (span.isSampled) {
        span.setAttributes({ 'http.response.status_code': reply.statusCode, 'lockerflow.error_code': errorCode })
        if (reply.statusCode >= 500) span.fail(errorCode ?? String(reply.statusCode))
        span.end()
      }
    }
    done()
  })
}
