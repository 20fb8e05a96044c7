import type { Logger } from 'pino'
import { createLogThrottle } from '#platform/logs'
import { createInstruments, type Instruments, startMeasurement } from '#platform/metrics'
import { createFlowCounter, type FlowCounts } from './flowCounts.ts'
import { findGrpcStatus } from './grpc.ts'
import type { Measured, Observer } from './observer.ts'
import { countPollers } from './pollers.ts'

/** Milliseconds. One measurement makes 13 calls, and at most two for each of a hundred failed and a hundred terminated runs. */
const callTimeout = 10_000

/** Creates the metrics of a gateway. Call it once per process. */
export function createObserver(log: Pick<Logger, 'warn'>): Observer {
  const instruments = createInstruments('gateway')
  const throttled = createLogThrottle()
  return {
    received(outcome, durationMs) {
      instruments.record('lockerflow_signal_duration_seconds', durationMs / 1_000, { outcome })
    },
    flowApiAnswered(operation, code, durationMs) {
      instruments.record('lockerflow_flow_api_request_duration_seconds', durationMs / 1_000, { operation, code })
    },
    flowApiStreams(open) {
      instruments.set('lockerflow_flow_api_streams', [{ value: open, labels: {} }])
    },
    measure(measured) {
      const { state, client } = measured
      const countFlows = createFlowCounter(client)
      const measurement = startMeasurement(
        async () => {
          instruments.set('lockerflow_registered', [{ value: Number(state.service), labels: {} }])
          await client.withDeadline(Date.now() + callTimeout, () => measureFlows(instruments, measured, countFlows))
          instruments.set('lockerflow_temporal_up', [{ value: Number(state.temporal), labels: {} }])
        },
        error => {
          instruments.set('lockerflow_temporal_up', [{ value: 0, labels: {} }])
          for (const name of flowGauges) instruments.set(name, [])
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

const flowGauges = [
  'lockerflow_flows',
  'lockerflow_flows_overdue',
  'lockerflow_flows_failing_tasks',
  'lockerflow_flows_ended',
  'lockerflow_task_queue_pollers',
] as const

async function measureFlows(
  instruments: Instruments,
  { client, namespace, taskQueue }: Measured,
  countFlows: () => Promise<FlowCounts>,
): Promise<void> {
  const { running, overdue, failingTasks, ended } = await countFlows()
  const pollers = taskQueue === undefined ? [] : await countPollers(client, namespace, taskQueue)
  instruments.set(
    'lockerflow_flows',
    running.map(({ state, count }) => ({ value: count, labels: { state } })),
  )
  instruments.set('lockerflow_flows_overdue', [{ value: overdue, labels: {} }])
  instruments.set('lockerflow_flows_failing_tasks', [{ value: failingTasks, labels: {} }])
  instruments.set(
    'lockerflow_flows_ended',
    ended.map(({ status, count }) => ({ value: count, labels: { status } })),
  )
  instruments.set(
    'lockerflow_task_queue_pollers',
    pollers.map(({ kind, build, count }) => ({ value: count, labels: { build, kind } })),
  )
}
