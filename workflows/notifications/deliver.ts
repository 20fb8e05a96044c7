import { ApplicationFailure } from '@temporalio/common'
import type { DeliverNotificationInput } from '#activities/interface'
import { type ErrorCode, isRecord, withReference } from '#contract/terms'
import { sendNotification } from '../activities.ts'
import { flowFailure, isActivityError, isCancellation } from '../failures.ts'
import type { Runtime } from '../runtime.ts'

/** Ten years, in milliseconds. */
const maxTimeout = 3_650 * 24 * 3_600_000

const notDelivered: ErrorCode = 'NotificationNotDelivered'

/** Sends one notification of a flow. It is a workflow of its own, so that an undelivered one fails visibly. */
export async function deliver(runtime: Runtime, input: DeliverNotificationInput): Promise<void> {
  rejectInvalid(input)
  try {
    await sendNotification(input.deliveryTimeout)(runtime, input)
  } catch (error) {
    if (isCancellation(error) || !isActivityError(error)) throw error
    const message = withReference(notDelivered, toMessage(error))
    throw ApplicationFailure.create({ type: notDelivered, message, nonRetryable: true })
  }
}

/**
 * Any client can start the workflow. Without the check, a wrong timeout would fail every workflow task.
 * @throws ApplicationFailure with InvalidFlowInput
 */
function rejectInvalid(input: unknown): void {
  const { id, notification, deliveryTimeout } = isRecord(input) ? input : {}
  // No duration of a setting is longer. Temporal refuses a timeout of thousands of years.
  const isPossible = (timeout: number) => Number.isInteger(timeout) && timeout > 0 && timeout <= maxTimeout
  const isTimeout = deliveryTimeout == null || (typeof deliveryTimeout === 'number' && isPossible(deliveryTimeout))
  const faults = [
    ...(typeof id === 'string' && id !== '' ? [] : ['id: must be a text.']),
    ...(isRecord(notification) ? [] : ['notification: must be an object.']),
    ...(isTimeout ? [] : ['deliveryTimeout: must be a number of milliseconds, at most ten years.']),
  ]
  if (faults.length > 0) throw flowFailure('InvalidFlowInput', faults.join(' '))
}

/** The activity's messages name the receiver's response, and never its address. */
function toMessage({ cause }: Error): string {
  return cause instanceof ApplicationFailure
    ? cause.message
    : 'The time ended before the receiver accepted the notification.'
}
