import type { Logger } from 'pino'
import { type OperationName, operations } from '#contract'
import { isHealthRoute } from '#platform/http'
import { createLogThrottle } from '#platform/logs'
import { createGauge, type Meter, processMeter, seconds, startMeasurement } from '#platform/metrics'
import type { Observer } from '../observer.ts'
import { findWriteFault } from '../store/index.ts'
import { createProcessGauges } from './processGauges.ts'
import { createStoreGauges } from './storeGauges.ts'

/** Creates the metrics of a service. Call it once per process. */
export function createObserver(log: Pick<Logger, 'warn'>, meter: Meter = processMeter()): Observer {
  const requests = meter.createHistogram<{ operation: string; code: string }>(
    'lockerflow_request_duration_seconds',
    seconds('Time from a request to its response, without health checks.'),
  )
  const bookings = meter.createCounter<{ result: string }>('lockerflow_bookings_total', {
    description: 'Responses of the operations that book lockers.',
  })
  const deliveries = meter.createHistogram<{ outcome: string }>(
    'lockerflow_callback_delivery_duration_seconds',
    seconds('Time of one delivery of a callback, with the record of its outcome.'),
  )
  const up = createGauge(
    meter,
    'lockerflow_store_up',
    '1 if the last measurement of the store succeeded and it accepts writes, otherwise 0.',
  )
  const throttled = createLogThrottle()
  return {
    observeServer(app) {
      app.addHook('onResponse', ({ routeOptions, context }, _reply, done) => {
        done()
        // Probes arrive every few seconds, and would hide the other requests.
        if (isHealthRoute(routeOptions.url)) return
        const { operation, errorCode, repeated, startedAt } = context
        const labels = { operation: operation ?? 'other', code: errorCode ?? 'ok' }
        requests.record((performance.now() - startedAt) / 1_000, labels)
        if (operation === undefined || !isBooking(operation)) return
        bookings.add(1, { result: repeated ? 'repeated' : (errorCode ?? 'booked') })
      })
    },
    delivered(outcome, durationMs) {
      deliveries.record(durationMs / 1_000, { outcome })
    },
    measure(store) {
      const ofProcess = createProcessGauges(meter, store)
      const measureStore = createStoreGauges(meter, store)
      const measurement = startMeasurement(
        async () => {
          ofProcess.measure()
          await measureStore()
          const fault = await findWriteFault(store)
          if (fault !== undefined) throw new Error(fault)
          up.set(1)
        },
        error => {
          up.set(0)
          throttled('not measured', suppressed => {
            log.warn({ logId: 'store-not-measured', err: error, suppressed }, 'metrics of the store not read')
          })
        },
      )
      return () => {
        measurement.stop()
        ofProcess.stop()
      }
    },
  }
}

/** The operations that create shipments with lockers. */
function isBooking(operation: string): boolean {
  if (!/^Create(Local|CollectOnly)Shipment/.test(operation)) return false
  return operations[operation as OperationName]?.effect === 'create'
}
