import { ApplicationFailure } from '@temporalio/common'
import type { DeliverNotificationInput } from '#activities/interface'
import { type ErrorCode, withReference } from '#contract/terms'
import { sendNotification } from '../activities.ts'
import { isActivityError, isCancellation } from '../failures.ts'
import type { Runtime } from '../runtime.ts'

const notDelivered: ErrorCode = 'NotificationNotDelivered'

/** Sends one notification of a flow. It is a workflow of its own, so that an undelivered one fails visibly. */
export async function deliver(runtime: Runtime, input: DeliverNotificationInput): Promise<void> {
  try {
    await sendNotification(input?.deliveryTimeout)(runtime, input)
  } catch (error) {
    if (isCancellation(error) || !isActivityError(error)) throw error
    const message = withReference(notDelivered, toMessage(error))
    throw ApplicationFailure.create({ type: notDelivered, message, nonRetryable: true })
  }
}

/** The activity's messages name the receiver's response, and never its address. */
function toMessage({ cause }: Error): string {
  return cause instanceof ApplicationFailure
    ? cause.message
    : 'The time ended before the receiver accepted the notification.'
}
