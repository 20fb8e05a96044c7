import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Logger } from 'pino'
import { doorStates, type OperationName, operations } from '#contract'
import { isHealthRoute } from '#platform/http'
import { createLogThrottle } from '#platform/logs'
import { createInstruments, type Instruments, startMeasurement } from '#platform/metrics'
import { readLateness } from '../audit/index.ts'
import { countDoorStates } from '../hardware/index.ts'
import type { Observer } from '../observer.ts'
import { findWriteFault, type Store, storeWaits } from '../store/index.ts'
import { readArchiveLateness } from './archive.ts'
import { readCallbacks, readLockers } from './gauges.ts'

/** Nanoseconds of a second. */
const second = 1e9

/** Creates the metrics of a service. Call it once per process. */
export function createObserver(
  log: Pick<Logger, 'warn'>,
  instruments: Instruments = createInstruments('service'),
): Observer {
  const throttled = createLogThrottle()
  return {
    observeServer(app) {
      app.addHook('onResponse', ({ routeOptions, context }, _reply, done) => {
        done()
        // Probes arrive every few seconds, and would hide the other requests.
        if (isHealthRoute(routeOptions.url)) return
        const { operation, errorCode, repeated, startedAt } = context
        const labels = { operation: operation ?? 'other', code: errorCode ?? 'ok' }
        instruments.record('lockerflow_request_duration_seconds', (performance.now() - startedAt) / 1_000, labels)
        if (operation === undefined || !isBooking(operation)) return
        const result = repeated ? 'repeated' : (errorCode ?? 'booked')
        instruments.count('lockerflow_bookings_total', { result })
      })
    },
    delivered(outcome, durationMs) {
      instruments.record('lockerflow_callback_delivery_duration_seconds', durationMs / 1_000, { outcome })
    },
    measure(store) {
      const delay = monitorEventLoopDelay({ resolution: 10 })
      delay.enable()
      const measurement = startMeasurement(
        async () => {
          measureProcess(instruments, store, delay)
          await measureStore(instruments, store)
        },
        error => {
          instruments.set('lockerflow_store_up', [{ value: 0, labels: {} }])
          throttled('not measured', suppressed => {
            log.warn({ logId: 'store-not-measured', err: error, suppressed }, 'metrics of the store not read')
          })
        },
      )
      return () => {
        measurement.stop()
        delay.disable()
      }
    },
  }
}

/** The operations that create shipments with lockers. */
function isBooking(operation: string): boolean {
  if (!/^Create(Local|CollectOnly)Shipment/.test(operation)) return false
  return operations[operation as OperationName]?.effect === 'create'
}

function measureProcess(instruments: Instruments, store: Store, delay: ReturnType<typeof monitorEventLoopDelay>): void {
  const quantiles = { 0.5: delay.percentile(50), 0.99: delay.percentile(99), 1: delay.max }
  delay.reset()
  instruments.set(
    'lockerflow_event_loop_delay_seconds',
    Object.entries(quantiles).map(([quantile, value]) => ({ value: value / second, labels: { quantile } })),
  )
  instruments.set('lockerflow_process_memory_bytes', [{ value: process.memoryUsage.rss(), labels: {} }])
  const { waiting, longest } = storeWaits(store)
  instruments.set('lockerflow_store_waiting', [{ value: waiting, labels: {} }])
  instruments.set('lockerflow_store_wait_seconds', [{ value: longest / 1_000, labels: {} }])
}

async function measureStore(instruments: Instruments, store: Store): Promise<void> {
  const { pending, givenUp, oldestMs } = await readCallbacks(store)
  instruments.set('lockerflow_callbacks_pending', [{ value: pending, labels: {} }])
  instruments.set('lockerflow_callbacks_given_up', [{ value: givenUp, labels: {} }])
  instruments.set('lockerflow_callbacks_oldest_seconds', [{ value: oldestMs / 1_000, labels: {} }])
  const points = await readLockers(store)
  const toGauge = (read: (point: (typeof points)[number]) => number) =>
    points.map(point => ({ value: read(point), labels: { pick_up_point: point.pupUid } }))
  instruments.set(
    'lockerflow_lockers_free',
    toGauge(({ free }) => free),
  )
  instruments.set(
    'lockerflow_lockers',
    toGauge(({ all }) => all),
  )
  const doors = await countDoorStates(store)
  instruments.set(
    'lockerflow_doors',
    doorStates.map(state => ({ value: doors.get(state) ?? 0, labels: { state } })),
  )
  instruments.set('lockerflow_decisions_late_seconds', [{ value: (await readLateness(store)) / 1_000, labels: {} }])
  const archive = await readArchiveLateness(store)
  instruments.set('lockerflow_archive_late_seconds', archive === undefined ? [] : [{ value: archive, labels: {} }])
  const fault = await findWriteFault(store)
  if (fault !== undefined) throw new Error(fault)
  instruments.set('lockerflow_store_up', [{ value: 1, labels: {} }])
}
