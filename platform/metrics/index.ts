// How service and gateway declare their metrics and measure their gauges. Loaded by a process whose metrics are on.
export { createGauge, type Meter, processMeter, seconds } from './instruments.ts'
export { type Measurement, startMeasurement } from './measurement.ts'
