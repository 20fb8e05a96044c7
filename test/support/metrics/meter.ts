import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'

/** A meter with a reader of its values. */
export function startMeter() {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 86_400_000 })
  const provider = new MeterProvider({ readers: [reader] })
  return {
    meter: provider.getMeter('test'),
    async read(name: string) {
      exporter.reset()
      await reader.forceFlush()
      const metrics = exporter
        .getMetrics()
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
      return metrics
        .find(({ descriptor }) => descriptor.name === name)
        ?.dataPoints.map(({ value, attributes }) => ({ value, attributes }))
    },
    stop: () => provider.shutdown(),
  }
}
