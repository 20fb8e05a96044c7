import type { Logger } from 'pino'
import { createLogThrottle } from '#platform/logs'
import { createGauge, processMeter, seconds, startMeasurement } from '#platform/metrics'
import { createFlowGauges } from './flowGauges.ts'
import { findGrpcStatus } from './grpc.ts'
import type { Observer } from './observer.ts'

/** Creates the metrics of a gateway. Call it once per process. */
export function createObserver(log: Pick<Logger, 'warn'>): Observer {
  const meter = processMeter()
  const signals = meter.createHistogram<{ outcome: string }>(
    'lockerflow_signal_duration_seconds',
    seconds('Time from a callback to its response, by the verdict of the gateway.'),
  )
  const requests = meter.createHistogram<{ operation: string; code: string }>(
    'lockerflow_flow_api_request_duration_seconds',
    seconds('Time from a request for a flow to its response. `watchFlow` lasts as long as its stream.'),
  )
  const streams = createGauge(meter, 'lockerflow_flow_api_streams', 'Open event streams of flows.')
  const registered = createGauge(
    meter,
    'lockerflow_registered',
    '1 once the service has accepted the callback address, otherwise 0.',
  )
  const temporalUp = createGauge(
    meter,
    'lockerflow_temporal_up',
    '1 if Temporal accepts signals and answered the last measurement, otherwise 0.',
  )
  const throttled = createLogThrottle()
  return {
    received(outcome, durationMs) {
      signals.record(durationMs / 1_000, { outcome })
    },
    flowApiAnswered(operation, code, durationMs) {
      requests.record(durationMs / 1_000, { operation, code })
    },
    flowApiStreams: open => streams.set(open),
    measure(measured) {
      const { state } = measured
      const gauges = createFlowGauges(meter, measured)
      const measurement = startMeasurement(
        async () => {
          registered.set(Number(state.service))
          await gauges.measure()
          temporalUp.set(Number(state.temporal))
        },
        error => {
          temporalUp.set(0)
          gauges.clear()
          const reason = findGrpcStatus(error)?.text ?? (error instanceof Error ? error.message : String(error))
          throttled('not counted', suppressed => {
            log.warn({ logId: 'flows-not-counted', reason, suppressed }, 'flows not counted')
          })
        },
      )
      return measurement.stop
    },
  }
}
