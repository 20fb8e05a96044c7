import { type Meter, type MetricOptions, metrics } from '@opentelemetry/api'

export type { Meter }

/** The meter of this process. Call it after the start of telemetry: an earlier one measures nothing. */
export function processMeter(): Meter {
  return metrics.getMeter('lockerflow')
}

/** Upper bounds of the buckets of durations, in seconds. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The options of a histogram of durations in seconds. */
export function seconds(description: string): MetricOptions {
  return { description, unit: 's', advice: { explicitBucketBoundaries: durationBuckets } }
}

interface GaugeValue<Label extends string> {
  readonly value: number
  readonly labels: Readonly<Record<Label, string>>
}

/** A gauge with labels has a list of values, one without labels a number or none. */
interface Gauge<Label extends string = never> {
  /** Replaces all values. Labels that are gone get NaN: OpenTelemetry would export the last value forever. */
  set(values: readonly GaugeValue<Label>[] | ([Label] extends [never] ? number : never)): void
}

/** Scrapes read the last values of a gauge, so their number and pace cost no query. A label has a bounded number of values. */
export function createGauge<Label extends string = never>(
  meter: Meter,
  name: `lockerflow_${string}`,
  description: string,
  unit?: 's' | 'By',
): Gauge<Label> {
  let current: readonly GaugeValue<Label>[] = []
  meter.createObservableGauge(name, { description, ...(unit && { unit }) }).addCallback(result => {
    for (const { value, labels } of current) result.observe(value, labels)
  })
  return {
    set(values) {
      const given = typeof values === 'number' ? [{ value: values, labels: {} as GaugeValue<Label>['labels'] }] : values
      const keys = new Set(given.map(toKey))
      const gone = current.filter(value => !keys.has(toKey(value)))
      current = [...given, ...gone.map(({ labels }) => ({ value: Number.NaN, labels }))]
    },
  }
}

function toKey({ labels }: GaugeValue<string>): string {
  return JSON.stringify(labels)
}
