/** One metric of service, gateway or worker. Its name never changes, so that alerts and dashboards can rely on it. */
export interface Metric {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  /** In the spelling of UCUM; the name ends with its word. */
  readonly unit: 's' | 'By' | '1'
  readonly process: 'service' | 'gateway' | 'worker'
  /** The values of each label. Their number is bounded (D-231). */
  readonly labels: Readonly<Record<string, string>>
  readonly meaning: string
  /** The installations that have the metric; all of them if absent. */
  readonly only?: string
}

const code = 'an error code of [errors](errors.md), or `ok`'

/**
 * Every metric that service and gateway expose. The code registers them from here (D-230). A worker counts through
 * Temporal's SDK.
 */
export const metricTable = {
  lockerflow_request_duration_seconds: {
    kind: 'histogram',
    unit: 's',
    process: 'service',
    labels: { operation: 'an operation of the [interface](http-api.md), `token`, or `other`', code },
    meaning: 'Time from a request to its response, without health checks.',
  },
  lockerflow_bookings_total: {
    kind: 'counter',
    unit: '1',
    process: 'service',
    labels: { result: '`booked`, `repeated` (the stored response of an Idempotency-Key), or an error code' },
    meaning: 'Responses of the operations that book lockers.',
  },
  lockerflow_callback_delivery_duration_seconds: {
    kind: 'histogram',
    unit: 's',
    process: 'service',
    labels: { outcome: '`delivered`, `failed`, or `given_up`' },
    meaning: 'Time of one delivery of a callback, with the record of its outcome.',
  },
  lockerflow_callbacks_pending: {
    kind: 'gauge',
    unit: '1',
    process: 'service',
    labels: {},
    meaning: 'Undelivered callbacks of all tenants, without those that were given up. 10000 means that or more.',
  },
  lockerflow_callbacks_oldest_seconds: {
    kind: 'gauge',
    unit: 's',
    process: 'service',
    labels: {},
    meaning:
      'Age of the oldest undelivered callback that is the first of its shipment, without tenants that are switched off. For a tenant with more than 10000 callbacks, only those that are sent next count.',
  },
  lockerflow_callbacks_given_up: {
    kind: 'gauge',
    unit: '1',
    process: 'service',
    labels: {},
    meaning: 'Callbacks that were given up and wait for a command. 10000 means that or more.',
  },
  lockerflow_lockers_free: {
    kind: 'gauge',
    unit: '1',
    process: 'service',
    labels: { pick_up_point: 'uid of a pick up point; from the 501st on, `others`' },
    meaning:
      'Lockers that can be booked: they have no booking, are not retired, and neither they nor their pick up point are out of service.',
  },
  lockerflow_lockers: {
    kind: 'gauge',
    unit: '1',
    process: 'service',
    labels: { pick_up_point: 'as above' },
    meaning: 'All lockers except the retired ones.',
  },
  lockerflow_doors: {
    kind: 'gauge',
    unit: '1',
    process: 'service',
    labels: { state: '`closed`, `open`, `unknown`, `broken`, or `offline`' },
    meaning: 'Doors by the last state that their adapter reported.',
  },
  lockerflow_decisions_late_seconds: {
    kind: 'gauge',
    unit: 's',
    process: 'service',
    labels: {},
    meaning:
      'How long a pass of `audit collect --every` has been due, for the tenant with the longest delay. 0 if no pass is due, or no tenant has such a process.',
  },
  lockerflow_store_waiting: {
    kind: 'gauge',
    unit: '1',
    process: 'service',
    labels: {},
    meaning: 'Transactions that wait for a connection of the pool, or for the writer of the embedded store.',
  },
  lockerflow_store_wait_seconds: {
    kind: 'gauge',
    unit: 's',
    process: 'service',
    labels: {},
    meaning: 'How long the oldest of these transactions has waited.',
  },
  lockerflow_store_up: {
    kind: 'gauge',
    unit: '1',
    process: 'service',
    labels: {},
    meaning: '1 if the last measurement of the store succeeded and it accepts writes, otherwise 0.',
  },
  lockerflow_archive_late_seconds: {
    kind: 'gauge',
    unit: 's',
    process: 'service',
    labels: {},
    meaning:
      'Time since the archive of PostgreSQL took its last segment of the log, while a segment waits or its last attempt failed. Otherwise 0.',
    only: 'PostgreSQL with `archive_mode` on',
  },
  lockerflow_event_loop_delay_seconds: {
    kind: 'gauge',
    unit: 's',
    process: 'service',
    labels: { quantile: '`0.5`, `0.99`, or `1`' },
    meaning: 'Delay of the event loop since the previous measurement.',
  },
  lockerflow_process_memory_bytes: {
    kind: 'gauge',
    unit: 'By',
    process: 'service',
    labels: {},
    meaning: 'Resident memory of the process.',
  },
  lockerflow_flow_api_request_duration_seconds: {
    kind: 'histogram',
    unit: 's',
    process: 'gateway',
    labels: { operation: 'an operation of the [flows over HTTP](flows-over-http.md)', code },
    meaning: 'Time from a request for a flow to its response. `watchFlow` lasts as long as its stream.',
  },
  lockerflow_flow_api_streams: {
    kind: 'gauge',
    unit: '1',
    process: 'gateway',
    labels: {},
    meaning: 'Open event streams of flows.',
  },
  lockerflow_signal_duration_seconds: {
    kind: 'histogram',
    unit: 's',
    process: 'gateway',
    labels: { outcome: 'an outcome of [`callback received`](#other-lines)' },
    meaning: 'Time from a callback to its response, by the verdict of the gateway.',
  },
  lockerflow_temporal_up: {
    kind: 'gauge',
    unit: '1',
    process: 'gateway',
    labels: {},
    meaning: '1 if Temporal accepts signals and answered the last measurement, otherwise 0.',
  },
  lockerflow_registered: {
    kind: 'gauge',
    unit: '1',
    process: 'gateway',
    labels: {},
    meaning: '1 once the service has accepted the callback address, otherwise 0.',
  },
  lockerflow_flows: {
    kind: 'gauge',
    unit: '1',
    process: 'gateway',
    labels: { state: '`booking`, `waiting`, `overdue`, or `cleaningUp`' },
    meaning: 'Running flows of the namespace. `booking` includes flows without a plan.',
  },
  lockerflow_flows_overdue: {
    kind: 'gauge',
    unit: '1',
    process: 'gateway',
    labels: {},
    meaning: 'Running flows whose window has passed and that wait for a person.',
  },
  lockerflow_flows_failing_tasks: {
    kind: 'gauge',
    unit: '1',
    process: 'gateway',
    labels: {},
    meaning:
      'Running flows whose workflow tasks have failed several times in a row, so that they make no progress. Temporal removes a flow after a task that succeeds.',
  },
  lockerflow_flows_ended: {
    kind: 'gauge',
    unit: '1',
    process: 'gateway',
    labels: {
      status:
        '`Refused` (by the service or for its input: the caller has the code), `Failed` (by a fault), `Terminated`, or `TimedOut`',
    },
    meaning:
      'Flows that ended this way within the last hour, without runs that an operator has reset, before or after their end. If more than a hundred runs failed or were terminated, the shares of refusals and of resets are those of the newest hundred.',
  },
  lockerflow_task_queue_pollers: {
    kind: 'gauge',
    unit: '1',
    process: 'gateway',
    labels: {
      build: '`current` (workers without a build if no build is current), or `ramping` during a ramp',
      kind: '`workflow`, `activity`, or `outside`: activities that wait for outside parties, on the second task queue',
    },
    meaning:
      'Workers that belong to the build that gets new flows, and that polled the task queue within the last minutes. Workers of earlier builds do not count.',
  },
  lockerflow_flow_steps_total: {
    kind: 'counter',
    unit: '1',
    process: 'worker',
    labels: {
      flow: 'a flow',
      outcome:
        '`reached`, `error` (a refusal that `onError` names), `overdue` (a passed window; each reminder counts), `timedOut` (a passed window that led elsewhere), or `failed`',
      step: 'a step of a declaration',
    },
    meaning: 'Steps of flows by flow and outcome, including those of your own flows. A replay counts nothing.',
  },
} as const satisfies Readonly<Record<`lockerflow_${string}`, Metric>>

export type MetricName = keyof typeof metricTable

/** Names of one kind, for their instruments. */
export type MetricOf<Kind extends Metric['kind']> = {
  [Name in MetricName]: (typeof metricTable)[Name]['kind'] extends Kind ? Name : never
}[MetricName]

/** The labels of a metric. */
export type LabelsOf<Name extends MetricName> = Readonly<Record<keyof (typeof metricTable)[Name]['labels'], string>>

/** Upper bounds of the buckets of durations, in seconds. */
export const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** Seconds between two measurements of gauges that cost a query. Scrapes return the last one. */
export const measurementInterval = 15
