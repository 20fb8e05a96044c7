import { afterAll, beforeAll, vi } from 'vitest'
import { startTelemetry, type Telemetry } from '#platform/telemetry'
import { eventually } from '../eventually.ts'
import { type Collector, type ExportedSpan, startCollector } from './collector.ts'

export interface TestTelemetry extends Pick<Collector, 'spans' | 'bodies'> {
  /** Waits for a span that fulfils a condition. */
  spanWhen(holds: (span: ExportedSpan) => boolean): Promise<ExportedSpan>
}

/** The variables of a process that exports its traces to a collector. */
export function otelVariables({ address }: Pick<Collector, 'address'>): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${address}/v1/traces`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    // Without the limit of traces.
    OTEL_TRACES_SAMPLER: 'parentbased_always_on',
  }
}

/** Records the spans of this test file's process. Call it before `useWorld`: the parts of a world read it at their start. */
export function useTelemetry(variables: Readonly<Record<string, string>> = {}): TestTelemetry {
  const exported = {} as TestTelemetry
  let collector: Collector
  let telemetry: Telemetry

  beforeAll(async () => {
    collector = await startCollector()
    for (const [name, value] of Object.entries({ ...otelVariables(collector), ...variables })) vi.stubEnv(name, value)
    telemetry = await startTelemetry('test', reason => console.error(reason))
    const { spans, bodies } = collector
    Object.assign(exported, {
      spans,
      bodies,
      spanWhen: (holds: (span: ExportedSpan) => boolean) => eventually(() => spans.find(holds)),
    } satisfies TestTelemetry)
  })

  afterAll(async () => {
    await telemetry.stop()
    vi.unstubAllEnvs()
    await collector.stop()
  })

  return exported
}
