import { ActivityCancellationType, type ActivityOptions, proxyActivities, type RetryPolicy } from '@temporalio/workflow'
import type { FlowActivities } from '#activities/interface'

/** Every activity that a workflow calls, with its timeouts, retry policy, heartbeat and cancellation type. */

const retry = {
  /** The caller decides about the next attempt. */
  once: { maximumAttempts: 1 },
  /** A person or a deadline waits for the result. */
  urgent: { initialInterval: '250ms', maximumInterval: '10s' },
  steady: { initialInterval: '250ms', maximumInterval: '30s' },
  /** Clean-up has no deadline: a locker that is not freed is lost. */
  cleanUp: { initialInterval: '250ms', maximumInterval: '1m' },
  /** Webhook receivers can be away for days. */
  webhook: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1h' },
} as const satisfies Record<string, RetryPolicy>

/** Longer than the five minutes that the API client waits for a create. */
const createTimeout = '6m'
/** The time for reads and cancels of a few shipments. */
const callTimeout = '30s'

/**
 * Cancelling stops the retries and waits for the running attempt. The effective default TRY_CANCEL drops the late
 * response of a create, and a locker leaks.
 */
const cancellationType = ActivityCancellationType.WAIT_CANCELLATION_COMPLETED

function proxy<Name extends keyof FlowActivities>(name: Name, options: ActivityOptions): FlowActivities[Name] {
  return proxyActivities<FlowActivities>(options)[name] as FlowActivities[Name]
}

/** Retried without limit: anything but a refusal is our bug, and a fixed worker resumes here. */
export const planFlow = proxy('planFlow', {
  startToCloseTimeout: '5s',
  retry: retry.steady,
  summary: 'check the input and plan the flow',
})

/** A quick first attempt. Longer attempts would hold up the caller in an outage. */
export const planAndBook = proxy('planAndBook', {
  startToCloseTimeout: '2s',
  retry: retry.once,
  summary: 'plan the flow and book the lockers, first attempt',
})

export interface BookingOptions {
  readonly idempotent: boolean
  /** Milliseconds that are left of the booking window. */
  readonly window: number
  readonly maximumAttempts?: number
}

/**
 * For creates without an idempotency key. The activity timeout exceeds the HTTP timeout, so the next attempt's search
 * sees this one's result. Heartbeats reveal a lost worker.
 */
const nonIdempotentOptions: ActivityOptions = { startToCloseTimeout: createTimeout, heartbeatTimeout: '30s' }

export function bookShipments({ idempotent, window, maximumAttempts }: BookingOptions) {
  return proxy('bookShipments', {
    startToCloseTimeout: callTimeout,
    ...(!idempotent && nonIdempotentOptions),
    retry: maximumAttempts === undefined ? retry.steady : { maximumAttempts },
    scheduleToCloseTimeout: window,
    cancellationType,
    summary: 'book the lockers',
  })
}

const unacknowledgedOptions: ActivityOptions = {
  startToCloseTimeout: callTimeout,
  retry: retry.steady,
}

/** Repeats a create with its idempotency key, whose response is the truth even while the first request is under way. */
export const repeatBooking = proxy('bookShipments', {
  ...unacknowledgedOptions,
  summary: 'repeat the booking to get its response',
})
export const findUnacknowledged = proxy('findBookings', {
  ...unacknowledgedOptions,
  summary: 'find bookings of attempts without a response',
})

/** Clean-up has no deadline: a locker that is not freed is lost. */
export const undoBooking = proxy('undoBooking', {
  startToCloseTimeout: callTimeout,
  retry: retry.cleanUp,
  summary: 'undo the booking that no caller has learned of',
})

const duplicateOptions: ActivityOptions = {
  startToCloseTimeout: callTimeout,
  scheduleToCloseTimeout: '10m',
  retry: retry.steady,
}

export const findDuplicates = proxy('findBookings', { ...duplicateOptions, summary: 'find duplicate bookings' })
export const undoDuplicates = proxy('undoBooking', { ...duplicateOptions, summary: 'cancel duplicate bookings' })

export const readShipmentsOnce = proxy('readShipments', {
  startToCloseTimeout: '2s',
  retry: retry.once,
  summary: 'read the shipments',
})

/** For a deadline, whose outcome depends on the current states. */
export const readShipments = proxy('readShipments', {
  startToCloseTimeout: '15s',
  scheduleToCloseTimeout: '1m',
  retry: retry.urgent,
  summary: 'read the shipments',
})

/** Repeating it is harmless, so the timeout can be short: the caller of the update waits and can try again. */
export const assignReceiver = proxy('assignReceiver', {
  startToCloseTimeout: '15s',
  scheduleToCloseTimeout: '1m',
  retry: retry.urgent,
  summary: 'set the receiver',
})

export const cancelShipments = proxy('cancelShipments', {
  startToCloseTimeout: callTimeout,
  retry: retry.cleanUp,
  summary: 'cancel the shipments that hold no item',
})

export const cancelKeptBooking = proxy('cancelKeptBooking', {
  startToCloseTimeout: callTimeout,
  retry: retry.cleanUp,
  summary: 'cancel the kept booking',
})

/** Heartbeats reveal a lost worker, since an attempt may take minutes. */
const accountOptions: ActivityOptions = {
  startToCloseTimeout: createTimeout,
  heartbeatTimeout: '30s',
  retry: retry.steady,
  cancellationType,
}

/** @param window milliseconds that are left of the booking window */
export function createOrGetAccount(window: number) {
  return proxy('createOrGetAccount', {
    ...accountOptions,
    scheduleToCloseTimeout: window,
    summary: 'create the account, or find it',
  })
}

/** Without a deadline: a half configured account would stay unnoticed. */
export const setAccountPickUpPoint = proxy('setAccountPickUpPoint', {
  ...accountOptions,
  summary: 'set the main pick up point of the account',
})

export const setAccountMutationConfig = proxy('setAccountMutationConfig', {
  ...accountOptions,
  summary: 'set what the user may change',
})

/** @param window milliseconds that are left of the booking window */
export function importSuggestions(window: number) {
  return proxy('importSuggestions', {
    ...accountOptions,
    // The SDK sends heartbeats at four fifths of this interval. They deliver a cancellation.
    heartbeatTimeout: '10s',
    scheduleToCloseTimeout: window,
    summary: 'fetch the file and upload it',
  })
}

/** @param deliveryTimeout how long a receiver may be unreachable, in milliseconds */
export function sendNotification(deliveryTimeout: number | undefined) {
  return proxy('sendNotification', {
    // Longer than the HTTP timeout of a receiver.
    startToCloseTimeout: '20s',
    scheduleToCloseTimeout: deliveryTimeout ?? '3d',
    retry: retry.webhook,
    summary: 'send the notification',
  })
}

/** A sweep without a result is left to the next one. */
const sweepOptions: ActivityOptions = { scheduleToCloseTimeout: '10m', retry: retry.steady }

export const findOrphans = proxy('findOrphans', {
  ...sweepOptions,
  heartbeatTimeout: '1m',
  summary: 'find active shipments whose case has no running flow',
})

export const cancelOrphan = proxy('cancelOrphan', {
  ...sweepOptions,
  startToCloseTimeout: '1m',
  summary: 'cancel the shipments that hold no item',
})

export const adoptOrphan = proxy('adoptOrphan', {
  ...sweepOptions,
  startToCloseTimeout: '2m',
  summary: 'start a flow that adopts the shipments',
})
