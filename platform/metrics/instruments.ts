import { type Meter, metrics } from '@opentelemetry/api'
import { durationBuckets, type LabelsOf, type Metric, type MetricName, type MetricOf, metricTable } from './table.ts'

/** The instruments of one process. */
export interface Instruments {
  /** Adds one to a counter. */
  count<Name extends MetricOf<'counter'>>(name: Name, labels: LabelsOf<Name>): void
  /** Records a duration in seconds. */
  record<Name extends MetricOf<'histogram'>>(name: Name, seconds: number, labels: LabelsOf<Name>): void
  /** Replaces all values of a gauge. Labels that are gone get NaN: OpenTelemetry would export the last value forever. */
  set<Name extends MetricOf<'gauge'>>(name: Name, values: readonly GaugeValue<Name>[]): void
}

export interface GaugeValue<Name extends MetricName> {
  readonly value: number
  readonly labels: LabelsOf<Name>
}

/**
 * Registers the metrics of a process from the table. Scrapes read the last values of gauges, so their number and pace
 * cost no query.
 */
export function createInstruments(
  process: Metric['process'],
  meter: Meter = metrics.getMeter('lockerflow'),
): Instruments {
  const own = Object.entries<Metric>(metricTable).filter(([, metric]) => metric.process === process)
  const counters = new Map(
    own.filter(isOf('counter')).map(([name, metric]) => [name, meter.createCounter(name, describe(metric))]),
  )
  const histograms = new Map(
    own.filter(isOf('histogram')).map(([name, metric]) => {
      const advice = { explicitBucketBoundaries: [...durationBuckets] }
      return [name, meter.createHistogram(name, { ...describe(metric), advice })]
    }),
  )
  const gauges = new Map<string, readonly GaugeValue<MetricName>[]>()
  for (const [name, metric] of own.filter(isOf('gauge'))) {
    meter.createObservableGauge(name, describe(metric)).addCallback(result => {
      for (const { value, labels } of gauges.get(name) ?? []) result.observe(value, labels)
    })
  }
  return {
    count: (name, labels) => counters.get(name)?.add(1, labels),
    record: (name, seconds, labels) => histograms.get(name)?.record(seconds, labels),
    set(name, values) {
      const current = new Set(values.map(toKey))
      const gone = (gauges.get(name) ?? []).filter(value => !current.has(toKey(value)))
      gauges.set(name, [...values, ...gone.map(({ labels }) => ({ value: Number.NaN, labels }))])
    },
  }
}

function toKey({ labels }: GaugeValue<MetricName>): string {
  return JSON.stringify(labels)
}

function isOf(kind: Metric['kind']) {
  return ([, metric]: [string, Metric]) => metric.kind === kind
}

function describe({ meaning, unit }: Metric) {
  return { description: meaning, ...(unit !== '1' && { unit }) }
}
