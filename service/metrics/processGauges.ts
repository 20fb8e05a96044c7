import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createGauge, type Meter } from '#platform/metrics'
import { type Store, storeWaits } from '../store/index.ts'

/** Nanoseconds of a second. */
const second = 1e9

/** Creates the gauges of the process. Returns what measures them, and what stops that. */
export function createProcessGauges(meter: Meter, store: Store): { measure(): void; stop(): void } {
  const eventLoop = createGauge<'quantile'>(
    meter,
    'lockerflow_event_loop_delay_seconds',
    'Delay of the event loop since the previous measurement.',
    's',
  )
  const memory = createGauge(meter, 'lockerflow_process_memory_bytes', 'Resident memory of the process.', 'By')
  const waiting = createGauge(
    meter,
    'lockerflow_store_waiting',
    'Transactions that wait for a connection of the pool, or for the writer of the embedded store.',
  )
  const longest = createGauge(
    meter,
    'lockerflow_store_wait_seconds',
    'How long the oldest of these transactions has waited.',
    's',
  )
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  return {
    measure() {
      const quantiles = { 0.5: delay.percentile(50), 0.99: delay.percentile(99), 1: delay.max }
      delay.reset()
      eventLoop.set(
        Object.entries(quantiles).map(([quantile, value]) => ({ value: value / second, labels: { quantile } })),
      )
      memory.set(process.memoryUsage.rss())
      const waits = storeWaits(store)
      waiting.set(waits.waiting)
      longest.set(waits.longest / 1_000)
    },
    stop: () => delay.disable(),
  }
}
