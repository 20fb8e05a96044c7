import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  SpanKind as OtelSpanKind,
  type Span,
  type SpanContext,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { type Sampler, SamplingDecision } from '@opentelemetry/sdk-trace'
import type { GivenIds } from './ids.ts'
import { type Parent, readParent, toHeaders, toLogFields, toTraceparent } from './parent.ts'
import type { LogFields, OpenSpan, SpanAttributes, SpanIds, SpanKind, SpanOptions, Tracing } from './tracing.ts'

const kinds: Record<SpanKind, OtelSpanKind> = {
  internal: OtelSpanKind.INTERNAL,
  server: OtelSpanKind.SERVER,
  client: OtelSpanKind.CLIENT,
  producer: OtelSpanKind.PRODUCER,
  consumer: OtelSpanKind.CONSUMER,
}

/** The parts of OpenTelemetry's SDK that make spans. */
interface Parts {
  readonly tracer: Tracer
  /** The sampler of the tracer. */
  readonly sampler: Sampler
  /** The ids of the tracer. */
  readonly ids: GivenIds
  /** Returns whether the process may begin one more trace. */
  readonly mayBegin?: (() => boolean) | undefined
}

/** The span in which the code runs. OpenTelemetry's own storage would hold a context for each span. */
const active = new AsyncLocalStorage<RecordedSpan | LeftOutSpan>()

/** Records spans with a tracer of OpenTelemetry. */
export function createTracing({ tracer, sampler, ids, mayBegin = () => true }: Parts): Tracing {
  function startSpan(options: SpanOptions): OpenSpan {
    const around = options.parent === undefined ? active.getStore() : undefined
    // The samplers decide alike for the spans inside of it.
    if (around instanceof LeftOutSpan && options.ids === undefined) return around
    const parent = around ?? readParent(options.parent ?? 'none')
    const { traceId, spanId } = idsOf(parent, options.ids)
    const kind = kinds[options.kind ?? 'internal']
    const { decision } = sampler.shouldSample(parent.context, traceId, options.name, kind, {}, [])
    const isRecorded = decision === SamplingDecision.RECORD_AND_SAMPLED
    // A trace with given ids has several spans without a parent, for which the decision must be the same.
    const begins = parent.span === undefined && options.ids === undefined
    if (!isRecorded || (begins && !mayBegin())) return new LeftOutSpan({ traceId, spanId }, parent)
    const { name, attributes, startTime } = options
    const started = ids.with({ traceId, spanId }, () =>
      tracer.startSpan(name, { kind, ...(startTime && { startTime }) }, parent.context),
    )
    if (attributes !== undefined) started.setAttributes(attributes as Attributes)
    return new RecordedSpan(started, parent)
  }

  function idsOf({ span }: Parent, given: SpanIds | undefined): SpanIds {
    if (span === undefined) return given ?? ids.generateBoth()
    return { traceId: span.traceId, spanId: given?.spanId ?? ids.generateSpanId() }
  }

  return {
    startSpan,
    inSpan(options, work) {
      const span = startSpan(options)
      // A span that is left out records neither its end nor an error.
      return span.isSampled ? runInSpan(span, work) : span.run(() => work(span))
    },
    isSampled: () => active.getStore() instanceof RecordedSpan,
    headers: () => active.getStore()?.headers() ?? {},
    traceparent: () => active.getStore()?.traceparent(),
    logFields: () => active.getStore()?.logFields(),
  }
}

class RecordedSpan implements OpenSpan, Parent {
  readonly isSampled = true
  readonly context: Context
  readonly #span: Span

  constructor(span: Span, parent: Parent) {
    this.#span = span
    this.context = trace.setSpan(parent.context, span)
  }

  get span(): SpanContext {
    return this.#span.spanContext()
  }

  setAttributes(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes as Attributes)
  }

  fail(type: string): void {
    this.#span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR })
  }

  run<Result>(work: () => Result): Result {
    return active.run(this, work)
  }

  headers(): Record<string, string> {
    return toHeaders(this.context)
  }

  traceparent(): string {
    return toTraceparent(this.span)
  }

  logFields(): LogFields {
    return toLogFields(this.span)
  }

  end(): void {
    this.#span.end()
  }
}

/** A span that is not sampled, and the spans inside of it: two ids that log lines and callees get. */
class LeftOutSpan implements OpenSpan, Parent {
  readonly isSampled = false
  readonly span: SpanContext
  readonly #parent: Parent

  constructor(ids: Pick<SpanContext, 'traceId' | 'spanId'>, parent: Parent) {
    const { span: { traceState } = {} } = parent
    this.span = { ...ids, traceFlags: TraceFlags.NONE, ...(traceState && { traceState }) }
    this.#parent = parent
  }

  get context(): Context {
    return trace.setSpanContext(this.#parent.context, this.span)
  }

  setAttributes(): void {}

  fail(): void {}

  run<Result>(work: () => Result): Result {
    return active.getStore() === this ? work() : active.run(this, work)
  }

  headers(): Record<string, string> {
    return toHeaders(this.context)
  }

  traceparent(): string {
    return toTraceparent(this.span)
  }

  logFields(): LogFields {
    return toLogFields(this.span)
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
