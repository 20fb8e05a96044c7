// The metrics of service and gateway: one table, from which the code registers them and the documentation lists them.
// Loaded by a process whose metrics are on. The documentation and tests read the table.
export { createInstruments, type GaugeValue, type Instruments } from './instruments.ts'
export { type Measurement, startMeasurement } from './measurement.ts'
export { durationBuckets, type Metric, type MetricName, measurementInterval, metricTable } from './table.ts'
export { temporalMetrics } from './temporal.ts'
