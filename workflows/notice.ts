import { ApplicationFailure, isCancellation, proxyActivities } from '@temporalio/workflow'
import type { FlowActivities, NoticeOrder } from '#activities/interface'
import type { ErrorCode } from '#contract/terms'
import { isActivityError } from './failures.ts'

const failed: ErrorCode = 'NoticeNotDelivered'

/** Sends one notice of a flow, and fails in sight of everybody when nobody takes it within its time. */
export async function notice(order: NoticeOrder): Promise<void> {
  const { sendNotice } = proxyActivities<Pick<FlowActivities, 'sendNotice'>>({
    // Longer than a receiver may take to answer.
    startToCloseTimeout: '20s',
    scheduleToCloseTimeout: order?.patience ?? '3d',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1h' },
    summary: 'send the notice',
  })
  try {
    await sendNotice(order)
  } catch (error) {
    if (isCancellation(error) || !isActivityError(error)) throw error
    throw ApplicationFailure.create({ type: failed, message: messageOf(error), nonRetryable: true })
  }
}

/** Activities say what a receiver answered, and never where it is. */
function messageOf({ cause }: Error): string {
  return cause instanceof ApplicationFailure ? cause.message : 'No attempt to send the notice came to an end.'
}
