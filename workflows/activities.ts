import type { RetryPolicy } from '@temporalio/common'
import type { ActivityOptions } from '@temporalio/workflow'
import type { FlowActivities } from '#activities/interface'
import { priorities } from '#flows'
import type { NamedOptions, Runtime, StartedActivity } from './runtime.ts'

// Every activity that a workflow calls, with its timeouts, retry policy, heartbeat and cancellation type.

export const retry = {
  /** The caller decides about the next attempt. */
  once: { maximumAttempts: 1 },
  /** A person or a deadline waits for the result. */
  urgent: { initialInterval: '250ms', maximumInterval: '10s' },
  steady: { initialInterval: '250ms', maximumInterval: '30s' },
  /** Clean-up has no deadline: a locker that is not freed is lost. */
  cleanUp: { initialInterval: '250ms', maximumInterval: '1m' },
  /** Webhook receivers can be unavailable for days. */
  webhook: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1h' },
} as const satisfies Record<string, RetryPolicy>

/** Before all other work of the task queue. The fairness key is that of the flow. */
const priority = { priorityKey: priorities.booking }

/** Longer than the five minutes that the API client waits for a create. */
export const createTimeout = 6 * 60_000
/** The time for reads and cancels of a few shipments. */
const callTimeout = '30s'
/**
 * For a read that the flow repeats later, with its time in the task queue. A cancellation and an answer wait for its end.
 */
const maxRead = '1m'

/**
 * Cancelling stops the retries and waits for the running attempt. The effective default TRY_CANCEL drops the late
 * response of a create, and a locker leaks.
 */
export const cancellationType = 'WAIT_CANCELLATION_COMPLETED'

type Input<Name extends keyof FlowActivities> = Parameters<FlowActivities[Name]>[0]
type Output<Name extends keyof FlowActivities> = Awaited<ReturnType<FlowActivities[Name]>>

/** Calls an activity, or starts it so that it can be cancelled. */
export interface Activity<Name extends keyof FlowActivities> {
  (runtime: Runtime, input: Input<Name>): Promise<Output<Name>>
  start(runtime: Runtime, input: Input<Name>): StartedActivity<Output<Name>>
}

function activity<Name extends keyof FlowActivities>(name: Name, options: NamedOptions): Activity<Name> {
  // The worker registers the activities under these names, with these types.
  const call = (runtime: Runtime, input: Input<Name>) =>
    runtime.activity(name, [input], options) as Promise<Output<Name>>
  const start = (runtime: Runtime, input: Input<Name>) =>
    runtime.startActivity(name, [input], options) as StartedActivity<Output<Name>>
  return Object.assign(call, { start })
}

/** Retried without limit: anything but a refusal is our bug, and a fixed worker resumes here. */
export const planFlow = activity('planFlow', {
  startToCloseTimeout: '5s',
  retry: retry.steady,
  priority,
  summary: 'check the input and plan the flow',
})

/** A quick first attempt. Longer attempts would hold up the caller in an outage. */
export const planAndBook = activity('planAndBook', {
  startToCloseTimeout: '2s',
  retry: retry.once,
  priority,
  summary: 'plan the flow and book the lockers, first attempt',
})

export interface BookingOptions {
  readonly idempotent: boolean
  /** Milliseconds that are left of the booking window. */
  readonly window: number
  readonly maximumAttempts?: number
}

/**
 * For calls without an idempotency key. The activity timeout exceeds the HTTP timeout, so the next attempt's search
 * sees this one's result. Heartbeats reveal a lost worker.
 */
const longOptions: ActivityOptions = { startToCloseTimeout: createTimeout, heartbeatTimeout: '30s' }

export function bookShipments({ idempotent, window, maximumAttempts }: BookingOptions) {
  return activity('bookShipments', {
    startToCloseTimeout: callTimeout,
    ...(!idempotent && longOptions),
    retry: maximumAttempts === undefined ? retry.steady : { maximumAttempts },
    scheduleToCloseTimeout: window,
    cancellationType,
    priority,
    summary: 'book the lockers',
  })
}

const unacknowledgedOptions: ActivityOptions = {
  startToCloseTimeout: callTimeout,
  retry: retry.steady,
}

/** Repeats a create with its idempotency key, whose response is the truth even while the first request is under way. */
export const repeatBooking = activity('bookShipments', {
  ...unacknowledgedOptions,
  priority,
  summary: 'repeat the booking to get its response',
})
export const findUnacknowledged = activity('findBookings', {
  ...unacknowledgedOptions,
  summary: 'find bookings of attempts without a response',
})

/** Clean-up has no deadline: a locker that is not freed is lost. */
export const undoBooking = activity('undoBooking', {
  startToCloseTimeout: callTimeout,
  retry: retry.cleanUp,
  summary: 'undo the booking that no caller has learned of',
})

/** Once: the flow waits for it, and searches again at the next poll, or leaves a sweep behind. */
export const findDuplicates = activity('findBookings', {
  startToCloseTimeout: callTimeout,
  scheduleToCloseTimeout: maxRead,
  retry: retry.once,
  summary: 'find duplicate bookings',
})
export const undoDuplicates = activity('undoBooking', {
  startToCloseTimeout: callTimeout,
  scheduleToCloseTimeout: '10m',
  retry: retry.steady,
  summary: 'cancel duplicate bookings',
})

/** Longer than the ten seconds that the API client waits for a read. */
export const readShipmentsOnce = activity('readShipments', {
  startToCloseTimeout: '11s',
  scheduleToCloseTimeout: maxRead,
  retry: retry.once,
  summary: 'read the shipments',
})

/** For a deadline, whose outcome depends on the current states. */
export const readShipments = activity('readShipments', {
  startToCloseTimeout: '15s',
  scheduleToCloseTimeout: '1m',
  retry: retry.urgent,
  summary: 'read the shipments',
})

/** Retried until the step is left: without an answer it has no end. */
export function resolveMoment(step: string) {
  return activity('resolveMoment', {
    startToCloseTimeout: callTimeout,
    retry: retry.steady,
    cancellationType: 'TRY_CANCEL',
    summary: toSummary(`end of step ${step} by the calendar`),
  })
}

export const cancelShipments = activity('cancelShipments', {
  startToCloseTimeout: callTimeout,
  retry: retry.cleanUp,
  summary: 'cancel the shipments that hold no item',
})

/** @param window milliseconds until the step gives up */
export function callOperation(step: string, window: number) {
  return activity('callOperation', {
    ...longOptions,
    retry: retry.steady,
    scheduleToCloseTimeout: window,
    cancellationType,
    summary: toSummary(`call of step ${step}`),
  })
}

/** @param deliveryTimeout how long a receiver may be unreachable, in milliseconds */
export function sendNotification(deliveryTimeout: number | undefined) {
  return activity('sendNotification', {
    // Longer than the HTTP timeout of a receiver.
    startToCloseTimeout: '20s',
    scheduleToCloseTimeout: deliveryTimeout ?? '3d',
    retry: retry.webhook,
    outside: true,
    summary: 'send the notification',
  })
}

/** Each attempt waits for half a minute, and the flow takes a caller by the id of its update only once. */
export const awaitBooking = activity('awaitBooking', {
  startToCloseTimeout: '1m',
  retry: retry.urgent,
  outside: true,
  summary: 'wait for the booking',
})

/** Clean-up has no deadline: a locker that is not freed is lost. */
export const cancelCase = activity('cancelCase', {
  startToCloseTimeout: '1m',
  retry: retry.cleanUp,
  outside: true,
  summary: 'cancel the flow',
})

/** A sweep without a result is left to the next one. */
const sweepOptions: ActivityOptions = { scheduleToCloseTimeout: '10m', retry: retry.steady }

export const findOrphans = activity('findOrphans', {
  ...sweepOptions,
  heartbeatTimeout: '1m',
  summary: 'find active shipments whose case has no running flow',
})

export const cancelOrphan = activity('cancelOrphan', {
  ...sweepOptions,
  startToCloseTimeout: '1m',
  cancellationType,
  summary: 'cancel the shipments that hold no item',
})

/** No next sweep comes after one for late bookings, so it is repeated without limit. */
export const findLateOrphans = activity('findOrphans', {
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry: retry.cleanUp,
  summary: 'find late bookings of the case',
})

export const cancelLateOrphan = activity('cancelOrphan', {
  startToCloseTimeout: '1m',
  retry: retry.cleanUp,
  cancellationType,
  summary: 'cancel the late bookings that hold no item',
})

export const adoptOrphan = activity('adoptOrphan', {
  ...sweepOptions,
  startToCloseTimeout: '2m',
  cancellationType,
  outside: true,
  summary: 'start a flow that adopts the shipments',
})

/** Temporal limits a summary to 200 bytes. Names have at most 100 characters of one byte. */
export function toSummary(text: string): string {
  return text.slice(0, 200)
}
