import {
  type Attributes,
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
import type {
  Carrier,
  LogFields,
  OpenSpan,
  SpanAttributes,
  SpanIds,
  SpanKind,
  SpanOptions,
  Tracing,
} from './tracing.ts'

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
    if (options.parent === undefined && options.ids === undefined && isLeftOut(parent)) return new LeftOutSpan(parent)
    const start = () => tracer.startSpan(name, { kind: kinds[kind], ...(startTime && { startTime }) }, parent)
    const started = options.ids === undefined ? start() : ids.with(options.ids, start)
    // The samplers read no attributes, and most spans are not recorded.
    if (attributes && started.isRecording()) started.setAttributes(attributes as Attributes)
    return new StartedSpan(started, trace.setSpan(parent, started))
  }

  return {
    startSpan,
    inSpan: (options, work) => runInSpan(startSpan(options), work),
    isSampled: () => isSampled(trace.getSpanContext(context.active())),
    headers: () => inject(context.active()),
    traceparent() {
      const active = spanContextOf(context.active())
      return active && toTraceparent(active)
    },
    logFields: () => toLogFields(spanContextOf(context.active())),
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

function spanContextOf(from: Context): SpanContext | undefined {
  const found = trace.getSpanContext(from)
  return found !== undefined && isSpanContextValid(found) ? found : undefined
}

function toLogFields(found: SpanContext | undefined): LogFields {
  return found === undefined ? {} : { trace_id: found.traceId, span_id: found.spanId }
}

/** True inside of a span of this process that is not sampled. The samplers decide alike for the spans inside of it. */
function isLeftOut(parent: Context): boolean {
  const around = trace.getSpanContext(parent)
  return around !== undefined && !around.isRemote && !isSampled(around)
}

function isSampled(found: SpanContext | undefined): boolean {
  return found !== undefined && (found.traceFlags & TraceFlags.SAMPLED) !== 0
}

function inject(from: Context): Record<string, string> {
  const headers: Record<string, string> = {}
  propagation.inject(from, headers)
  return headers
}

class StartedSpan implements OpenSpan {
  readonly #span: Span
  readonly #inside: Context

  constructor(span: Span, inside: Context) {
    this.#span = span
    this.#inside = inside
  }

  setAttributes(attributes: SpanAttributes): void {
    if (this.#span.isRecording()) this.#span.setAttributes(attributes as Attributes)
  }

  fail(type: string): void {
    this.#span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR })
  }

  run<Result>(work: () => Result): Result {
    return context.with(this.#inside, work)
  }

  headers(): Record<string, string> {
    return inject(this.#inside)
  }

  traceparent(): string {
    return toTraceparent(this.#span.spanContext())
  }

  logFields(): LogFields {
    return toLogFields(this.#span.spanContext())
  }

  end(): void {
    this.#span.end()
  }
}

/** A span inside of one that is not sampled. It passes that one on, and costs neither ids nor a context. */
class LeftOutSpan implements OpenSpan {
  readonly #around: Context

  constructor(around: Context) {
    this.#around = around
  }

  setAttributes(): void {}

  fail(): void {}

  run<Result>(work: () => Result): Result {
    return context.active() === this.#around ? work() : context.with(this.#around, work)
  }

  headers(): Record<string, string> {
    return inject(this.#around)
  }

  traceparent(): string {
    const around = trace.getSpanContext(this.#around)
    return around === undefined ? '' : toTraceparent(around)
  }

  logFields(): LogFields {
    return toLogFields(spanContextOf(this.#around))
  }

  end(): void {}
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
