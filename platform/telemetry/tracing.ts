/** The role of a span in OpenTelemetry's terms. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

/** Attributes of a span. Never personal data, access codes, tokens, secrets or texts of errors. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

/** The fields of a log line that belongs to a span, in OpenTelemetry's spelling. */
export interface LogFields {
  readonly trace_id: string
  readonly span_id: string
}

/** Headers with a trace context, for instance those of a request. */
export type Carrier = Readonly<Record<string, unknown>>

/** Ids that a span must have instead of random ones. */
export interface SpanIds {
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** 32 hexadecimal digits. Applies to a span without a parent. */
  readonly traceId: string
}

export interface SpanOptions {
  readonly name: string
  /** `internal` by default. */
  readonly kind?: SpanKind
  readonly attributes?: SpanAttributes
  /** The parent: headers, a `traceparent`, or the text `none`. The active span by default. */
  readonly parent?: Carrier | string | undefined
  /** Milliseconds since 1970; now by default. */
  readonly startTime?: number
  readonly ids?: SpanIds
}

/** A span that has not ended. */
export interface OpenSpan {
  /** False if the sampler left the span out: its attributes are not read. */
  readonly isSampled: boolean
  setAttributes(attributes: SpanAttributes): void
  /** Marks the span as failed. @param type an error code or the name of an error's class, never its text */
  fail(type: string): void
  /** Runs `work` with the span as the active one. */
  run<Result>(work: () => Result): Result
  /** The headers of a request that continues the span. */
  headers(): Record<string, string>
  /** The span as the W3C header `traceparent`. */
  traceparent(): string
  /** The fields of a log line inside of the span. */
  logFields(): LogFields
  end(): void
}

/** Records spans. */
export interface Tracing {
  startSpan(options: SpanOptions): OpenSpan
  /** Runs `work` in a span that ends with it, promises included. An error that it throws marks the span as failed. */
  inSpan<Result>(options: SpanOptions, work: (span: OpenSpan) => Result): Result
  /** False without an active span, and inside of one that the sampler left out. */
  isSampled(): boolean
  /** The headers of a request that continues the active span. Empty without one. */
  headers(): Record<string, string>
  /** The active span as the W3C header `traceparent`. Undefined without one. */
  traceparent(): string | undefined
  /** The fields of a log line inside of the active span. Undefined without one. */
  logFields(): LogFields | undefined
}

/** Undefined while the process records no spans. Set once, before the parts of the process start. */
export let tracing: Tracing | undefined

/** For the start and the stop of telemetry. */
export function setTracing(value: Tracing | undefined): void {
  tracing = value
}
