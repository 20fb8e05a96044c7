import { ChildWorkflowCancellationType, ParentClosePolicy, startChild, uuid4 } from '@temporalio/workflow'
import type { FlowNotification, FlowState, NotificationType, PlannedNotifications } from '#flows'
import { type FlowContext, type FlowProgress, recordRejection, toFlowShipments } from '../context.ts'
import { noteRecordedEvent } from '../continueAsNew.ts'
import type { notification as deliver } from './deliver.ts'

const states = {
  'flow.stageReached': 'waiting',
  'flow.overdue': 'overdue',
  'flow.ended': 'ended',
} as const satisfies Partial<Record<NotificationType, FlowState>>

/**
 * Starts a child workflow that sends the notification. It outlives the flow, which does not wait for it. Does nothing in a flow
 * without a plan, or whose plan has no notifications.
 */
export function notify(flow: FlowContext, type: NotificationType): void {
  const { progress } = flow
  const planned = progress?.plan.notifications
  if (progress === undefined || planned === undefined) return
  if (flow.undeliveredNotifications.size >= planned.maxUndelivered && type !== 'flow.ended') {
    recordRejection(flow, `${type}: not sent, since ${planned.maxUndelivered} notifications are undelivered`)
    return
  }
  progress.notificationCount = (progress.notificationCount ?? 0) + 1
  // `uuid4()` replays deterministically; the run id would change after a reset.
  const id = uuid4()
  flow.startingNotifications.add(id)
  flow.undeliveredNotifications.add(id)
  void send(flow, id, planned, toNotification(flow, progress, type, progress.notificationCount))
}

/** Never fails: a flow goes on without its notifications. */
async function send(
  flow: FlowContext,
  id: string,
  { deliveryTimeout }: PlannedNotifications,
  notification: FlowNotification,
): Promise<void> {
  const { type, data } = notification
  try {
    const child = await startChild<typeof deliver>('notification', {
      workflowId: `notification:${data.caseNo}:${data.sequence}:${id}`,
      args: [{ id, deliveryTimeout, notification }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: ChildWorkflowCancellationType.ABANDON,
      staticSummary: `${type} ${data.stage ?? data.outcome ?? ''} of ${data.caseNo}`,
    })
    flow.startingNotifications.delete(id)
    noteRecordedEvent(flow)
    await child.result()
  } catch {
    const fault = flow.startingNotifications.delete(id) ? 'could not be started' : 'was not delivered'
    recordRejection(flow, `${type}: the notification ${fault}`)
  } finally {
    flow.undeliveredNotifications.delete(id)
  }
}

function toNotification(
  flow: FlowContext,
  { plan, stage, shipments }: FlowProgress,
  type: NotificationType,
  sequence: number,
): FlowNotification {
  const inStage = flow.booking === 'booked' && flow.result?.outcome !== 'completed'
  return {
    type,
    timestamp: new Date().toISOString(),
    data: {
      flow: plan.flow,
      caseNo: plan.caseNo,
      sequence,
      stage: inStage ? (plan.stages[stage]?.name ?? null) : null,
      state: type === 'flow.outOfService' ? flow.state : states[type],
      ...(type === 'flow.ended' && toOutcome(flow)),
      shipments: toFlowShipments(shipments),
    },
  }
}

function toOutcome({ result, booking }: FlowContext): Pick<FlowNotification['data'], 'outcome' | 'code'> {
  if (result !== undefined) return { outcome: result.outcome }
  const code = typeof booking === 'object' ? booking.failure.type : undefined
  return { outcome: 'failed', ...(code && { code }) }
}
