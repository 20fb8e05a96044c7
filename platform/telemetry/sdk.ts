import { DiagLogLevel, diag, trace } from '@opentelemetry/api'
import { envDetector, hostDetector, serviceInstanceIdDetector } from '@opentelemetry/resources'
import { AggregationType, createAllowListAttributesProcessor, type ViewOptions } from '@opentelemetry/sdk-metrics'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { createLogThrottle } from '#platform/logs'
import { nameListener } from '#platform/ports'
import type { Source } from '#platform/settings'
import { exportSettings, exportVariables, type TelemetrySettings } from './environment.ts'
import { createIdGenerator } from './ids.ts'
import { createSampler, createTraceLimit } from './sampler.ts'
import { createTracing } from './spans.ts'
import type { Tracing } from './tracing.ts'

/** The SDK warns until it knows the name of the host, and then exports everything. */
const detecting = 'Accessing resource attributes before async attributes settled'

/** The SDK counts its own spans, at a third of the cost of a span. Without labels, it does not sort and join them. */
const views: ViewOptions[] = ['otel.sdk.span.started', 'otel.sdk.span.live'].map(instrumentName => ({
  instrumentName,
  aggregation: { type: AggregationType.DROP },
  attributesProcessors: [createAllowListAttributesProcessor([])],
}))

/**
 * Starts OpenTelemetry's SDK, which reads its variables by itself, and registers it for the whole process.
 * @param report gets the reason when an export fails
 * @param source the environment with the variables
 */
export function startSdk(
  settings: TelemetrySettings,
  report: (reason: string) => void,
  source?: Source,
): { readonly tracing: Tracing | undefined; shutdown(): Promise<void> } {
  const { traces, metrics, serviceName } = settings
  const throttled = createLogThrottle()
  const listeners = { LOCKERFLOW_METRICS: settings.prometheus }
  const write = (...texts: unknown[]) => {
    const reason = texts.map(text => toText(nameListener(text, listeners))).join(' ')
    if (reason === detecting) return
    throttled(reason, suppressed => report(suppressed === undefined ? reason : `${reason} (${suppressed} more)`))
  }
  const ignore = () => undefined
  const logger = { error: write, warn: write, info: ignore, debug: ignore, verbose: ignore }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })

  const idGenerator = createIdGenerator()
  const sampler = createSampler(settings.sampling)
  const { perSecond } = settings.sampling
  exportVariables(source)
  if (metrics) exportSettings(settings)
  const sdk = new NodeSDK({
    ...(serviceName !== undefined && { serviceName }),
    // Without the detector of the process, which reports the command line and the user.
    resourceDetectors: [serviceInstanceIdDetector, hostDetector, envDetector],
    idGenerator,
    sampler,
    views,
    ...(!traces && { spanProcessors: [] }),
    ...(!metrics && { metricReaders: [] }),
    logRecordProcessors: [],
  })
  sdk.start()
  return {
    tracing: traces
      ? createTracing({
          tracer: trace.getTracer('lockerflow'),
          sampler,
          ids: idGenerator,
          mayBegin: perSecond === undefined ? undefined : createTraceLimit(perSecond),
        })
      : undefined,
    shutdown: () => sdk.shutdown(),
  }
}

/** OpenTelemetry passes errors as JSON texts, with their stack. */
function toText(value: unknown): string {
  const text = value instanceof Error ? value.message : String(value)
  const read = text.startsWith('{') ? /"message":"([^"]*)"/.exec(text)?.[1] : undefined
  return (read ?? text).slice(0, 300)
}
