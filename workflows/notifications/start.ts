import {
  type FlowNotification,
  type FlowState,
  type NotificationType,
  type PlannedNotifications,
  priorities,
} from '#flows'
import { type FlowContext, isFirstBooking, recordRejection, stateOf } from '../context.ts'
import { noteRecordedEvent } from '../continueAsNew.ts'
import { questionAt } from '../lines.ts'
import { type FlowProgress, stepOf } from '../progress.ts'
import { toFlowShipments } from '../status.ts'
import { isOverdue, rootOf, type Token } from '../tokens.ts'

const states = {
  'flow.stageReached': 'waiting',
  'flow.asked': 'waiting',
  'flow.overdue': 'overdue',
  'flow.ended': 'ended',
} as const satisfies Partial<Record<NotificationType, FlowState>>

/**
 * Starts a child workflow that sends the notification. It outlives the flow, which does not wait for it. Does nothing in a flow
 * without a plan, or whose plan has no notifications.
 * @param token the one whose step it is about; undefined for the flow
 */
export function notify(flow: FlowContext, token: Token | undefined, type: NotificationType): void {
  const { progress } = flow
  const planned = progress?.plan.notifications
  if (progress === undefined || planned === undefined) return
  // A decision answers only the last notification, even if that one is not sent.
  const overdue = token !== undefined && isOverdue(token) ? token : undefined
  if (overdue !== undefined) delete overdue.overdueNotice
  flow.startingNotifications ??= new Set()
  flow.undeliveredNotifications ??= new Set()
  if (flow.undeliveredNotifications.size >= planned.maxUndelivered && type !== 'flow.ended') {
    recordRejection(flow, `${type}: not sent, since ${planned.maxUndelivered} notifications are undelivered`)
    return
  }
  progress.notificationCount = (progress.notificationCount ?? 0) + 1
  // The run id would change after a reset.
  const id = flow.runtime.uuid()
  if (overdue !== undefined) overdue.overdueNotice = id
  flow.startingNotifications.add(id)
  flow.undeliveredNotifications.add(id)
  void send(
    flow,
    id,
    planned,
    toNotification(flow, progress, { token: token ?? rootOf(progress), type }, progress.notificationCount),
  )
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
    const child = await flow.runtime.startChild('notification', {
      workflowId: `notification:${data.caseNo}:${data.sequence}:${id}`,
      args: [{ id, deliveryTimeout, notification }],
      priorityKey: priorities.notification,
      summary: `${type} ${data.stage ?? data.outcome ?? ''} of ${data.caseNo}`,
    })
    flow.startingNotifications?.delete(id)
    noteRecordedEvent(flow)
    await child.result()
  } catch {
    const fault = flow.startingNotifications?.delete(id) ? 'could not be started' : 'was not delivered'
    recordRejection(flow, `${type}: the notification ${fault}`)
  } finally {
    flow.undeliveredNotifications?.delete(id)
  }
}

function toNotification(
  flow: FlowContext,
  progress: FlowProgress,
  { token, type }: { readonly token: Token; readonly type: NotificationType },
  sequence: number,
): FlowNotification {
  const { plan, lockers } = progress
  const step = stepOf(progress, token)
  const isNamed = !isFirstBooking(progress, token) && flow.result?.outcome !== 'completed'
  const question = type === 'flow.asked' || type === 'flow.overdue' ? questionAt(progress, token) : null
  return {
    type,
    timestamp: new Date(flow.runtime.now()).toISOString(),
    data: {
      flow: plan.flow,
      caseNo: plan.caseNo,
      runId: flow.runtime.info().firstExecutionRunId,
      sequence,
      stage: isNamed ? (step?.name ?? null) : null,
      state: type === 'flow.outOfService' ? stateOf(flow) : states[type],
      ...(type === 'flow.ended' && toOutcome(flow)),
      ...(question && { asks: { who: question.who, answers: Object.keys(question.answers) } }),
      shipments: toFlowShipments(lockers.shipments),
    },
  }
}

function toOutcome({ result, failure }: FlowContext): Pick<FlowNotification['data'], 'outcome' | 'code'> {
  if (result !== undefined) return { outcome: result.outcome }
  const code = failure?.type
  return { outcome: 'failed', ...(code && { code }) }
}
