import {
  type Context,
  context,
  defaultTextMapGetter,
  isSpanContextValid,
  SpanKind as OtelSpanKind,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace'
import type { Carrier, OpenSpan, SpanIds, SpanKind, SpanOptions, Tracing } from './tracing.ts'

const kinds: Record<SpanKind, OtelSpanKind> = {
  internal: OtelSpanKind.INTERNAL,
  server: OtelSpanKind.SERVER,
  client: OtelSpanKind.CLIENT,
  producer: OtelSpanKind.PRODUCER,
  consumer: OtelSpanKind.CONSUMER,
}

/** Generates random ids, and given ones for the spans that are started meanwhile. */
export interface GivenIds extends IdGenerator {
  with<Result>(ids: SpanIds | undefined, start: () => Result): Result
}

export function createIdGenerator(): GivenIds {
  const random = new RandomIdGenerator()
  let given: SpanIds | undefined
  return {
    generateTraceId: () => given?.traceId ?? random.generateTraceId(),
    generateSpanId: () => given?.spanId ?? random.generateSpanId(),
    // Starting a span is synchronous.
    with(ids, start) {
      given = ids
      try {
        return start()
      } finally {
        given = undefined
      }
    },
  }
}

/** Records spans with a tracer of OpenTelemetry. */
export function createTracing(tracer: Tracer, ids: GivenIds): Tracing {
  function startSpan(options: SpanOptions): OpenSpan {
    const { name, kind = 'internal', attributes, startTime } = options
    const parent = parentOf(options.parent)
    const started = ids.with(options.ids, () =>
      tracer.startSpan(
        name,
        { kind: kinds[kind], ...(attributes && { attributes: { ...attributes } }), ...(startTime && { startTime }) },
        parent,
      ),
    )
    return toOpenSpan(started, trace.setSpan(parent, started))
  }

  return {
    startSpan,
    inSpan: (options, work) => runInSpan(startSpan(options), work),
    headers: () => inject(context.active()),
    traceparent() {
      const active = activeSpanContext()
      return active && toTraceparent(active)
    },
    logFields() {
      const active = activeSpanContext()
      return active === undefined ? {} : { trace_id: active.traceId, span_id: active.spanId }
    },
  }
}

function parentOf(parent: Carrier | string | undefined): Context {
  if (parent === undefined) return context.active()
  if (typeof parent !== 'string') return propagation.extract(ROOT_CONTEXT, parent, defaultTextMapGetter)
  const [, traceId = '', spanId = '', flags = ''] = traceparentFormat.exec(parent) ?? []
  if (traceId === '') return ROOT_CONTEXT
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
  return trace.setSpanContext(ROOT_CONTEXT, remote)
}

/** Written by us, so that a stored trace context depends on no setting of propagators. */
const traceparentFormat = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

function toTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

function activeSpanContext(): SpanContext | undefined {
  const active = trace.getActiveSpan()?.spanContext()
  return active !== undefined && isSpanContextValid(active) ? active : undefined
}

function inject(from: Context): Record<string, string> {
  const headers: Record<string, string> = {}
  propagation.inject(from, headers)
  return headers
}

function toOpenSpan(span: Span, inside: Context): OpenSpan {
  return {
    setAttributes: attributes => void span.setAttributes({ ...attributes }),
    fail(type) {
      span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR })
    },
    run: work => context.with(inside, work),
    headers: () => inject(inside),
    traceparent: () => toTraceparent(span.spanContext()),
    end: () => span.end(),
  }
}

function runInSpan<Result>(span: OpenSpan, work: (span: OpenSpan) => Result): Result {
  const failed = (error: unknown) => {
    span.fail(toErrorType(error))
    span.end()
    throw error
  }
  let result: Result
  try {
    result = span.run(() => work(span))
  } catch (error) {
    return failed(error)
  }
  if (!(result instanceof Promise)) {
    span.end()
    return result
  }
  return result.then(value => {
    span.end()
    return value
  }, failed) as Result
}

/** The code of an error, or the name of its class. Its text can contain personal data. */
function toErrorType(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const { type, code } = error as { readonly type?: unknown; readonly code?: unknown }
  return [type, code].find(isCode) ?? error.name
}

function isCode(value: unknown): value is string {
  return typeof value === 'string' && /^\w{1,60}$/.test(value)
}
