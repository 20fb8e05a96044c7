import {
  type Context,
  defaultTextMapGetter,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type SpanContext,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import type { Carrier, LogFields } from './tracing.ts'

/** The span and the context that a new span continues. */
export interface Parent {
  /** Undefined if the new span begins a trace. */
  readonly span: SpanContext | undefined
  /** OpenTelemetry's context, with the span and the caller's baggage. */
  readonly context: Context
}

const none: Parent = { span: undefined, context: ROOT_CONTEXT }

/** Written by us, so that a stored trace context depends on no setting of propagators. */
const traceparentFormat = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** The headers of a trace context. The first request comes after the start of the SDK, which sets the propagators. */
let headerNames: readonly string[] | undefined

/** @param parent headers, a `traceparent`, or the text `none` */
export function readParent(parent: Carrier | string): Parent {
  if (typeof parent !== 'string') return readHeaders(parent)
  const [, traceId = '', spanId = '', flags = ''] = traceparentFormat.exec(parent) ?? []
  if (traceId === '') return none
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
  return { span, context: trace.setSpanContext(ROOT_CONTEXT, span) }
}

function readHeaders(headers: Carrier): Parent {
  headerNames ??= propagation.fields()
  // Most requests have none of them.
  if (!headerNames.some(name => headers[name] !== undefined)) return none
  const context = propagation.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
  const found = trace.getSpanContext(context)
  return { span: found !== undefined && isSpanContextValid(found) ? found : undefined, context }
}

/** The headers of a request that continues a context. */
export function toHeaders(context: Context): Record<string, string> {
  const headers: Record<string, string> = {}
  propagation.inject(context, headers)
  return headers
}

export function toTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags === TraceFlags.SAMPLED ? '01' : '00'}`
}

export function toLogFields({ traceId, spanId }: SpanContext): LogFields {
  return { trace_id: traceId, span_id: spanId }
}
