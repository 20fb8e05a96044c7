import { createGauge, type Meter } from '#platform/metrics'
import { createFlowCounter } from './flowCounts.ts'
import type { Measured } from './observer.ts'
import { countPollers } from './pollers.ts'

/** Milliseconds. One measurement makes 13 calls, and at most two for each of a hundred failed and a hundred terminated runs. */
const callTimeout = 10_000

/** Creates the gauges that are read from Temporal. */
export function createFlowGauges(meter: Meter, { client, namespace, taskQueue }: Measured) {
  const flows = createGauge<'state'>(
    meter,
    'lockerflow_flows',
    'Running flows of the namespace. `booking` includes flows without a plan.',
  )
  const overdue = createGauge(
    meter,
    'lockerflow_flows_overdue',
    'Running flows whose window has passed and that wait for a person.',
  )
  const failing = createGauge(
    meter,
    'lockerflow_flows_failing_tasks',
    'Running flows whose workflow tasks have failed several times in a row, so that they make no progress. Temporal removes a flow after a task that succeeds.',
  )
  const ended = createGauge<'status'>(
    meter,
    'lockerflow_flows_ended',
    'Flows that ended this way within the last hour, without runs that an operator has reset, before or after their end. If more than a hundred runs failed or were terminated, the shares of refusals and of resets are those of the newest hundred.',
  )
  const polling = createGauge<'build' | 'kind'>(
    meter,
    'lockerflow_task_queue_pollers',
    'Workers that belong to the build that gets new flows, and that polled the task queue within the last minutes. Workers of earlier builds do not count.',
  )
  const countFlows = createFlowCounter(client)

  async function measure(): Promise<void> {
    const counts = await countFlows()
    const pollers = taskQueue === undefined ? [] : await countPollers(client, namespace, taskQueue)
    flows.set(counts.running.map(({ state, count }) => ({ value: count, labels: { state } })))
    overdue.set(counts.overdue)
    failing.set(counts.failingTasks)
    ended.set(counts.ended.map(({ status, count }) => ({ value: count, labels: { status } })))
    polling.set(pollers.map(({ kind, build, count }) => ({ value: count, labels: { build, kind } })))
  }

  return {
    measure: () => client.withDeadline(Date.now() + callTimeout, measure),
    clear() {
      for (const gauge of [flows, overdue, failing, ended, polling]) gauge.set([])
    },
  }
}
