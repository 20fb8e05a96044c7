import type { History } from '@temporalio/worker'
import type { Happening } from '../../../simulator/timeLine.ts'

export type RecordedEvent = NonNullable<History['events']>[number]

/** The happening of an event in the terms of the simulator; undefined for an event that the simulator does not have. */
export function toHappening(event: RecordedEvent, byId: ReadonlyMap<string, RecordedEvent>): Happening | undefined {
  const {
    workflowExecutionSignaledEventAttributes: signaled,
    workflowExecutionUpdateAcceptedEventAttributes: accepted,
    workflowExecutionUpdateCompletedEventAttributes: updated,
    activityTaskScheduledEventAttributes: scheduled,
    activityTaskCompletedEventAttributes: completed,
    activityTaskFailedEventAttributes: failed,
    timerStartedEventAttributes: timer,
    upsertWorkflowSearchAttributesEventAttributes: attributes,
    startChildWorkflowExecutionInitiatedEventAttributes: child,
    workflowExecutionCompletedEventAttributes: ended,
    workflowExecutionFailedEventAttributes: endedEarly,
  } = event
  const summary = String(read(event.userMetadata?.summary) ?? '')
  const activityOf = (id: unknown) =>
    byId.get(String(id))?.activityTaskScheduledEventAttributes?.activityType?.name ?? ''
  const timerOf = (id: unknown) => String(read(byId.get(String(id))?.userMetadata?.summary) ?? '')
  if (event.workflowExecutionStartedEventAttributes) return { kind: 'started' }
  if (signaled) {
    const [argument] = readAll(signaled.input?.payloads)
    return { kind: 'signal', signal: signaled.signalName ?? '', argument: argument as never }
  }
  if (accepted) {
    const { name, args } = accepted.acceptedRequest?.input ?? {}
    return { kind: 'updateAccepted', update: name ?? '', argument: readAll(args?.payloads)[0] }
  }
  if (updated) {
    const { input } =
      byId.get(String(updated.acceptedEventId))?.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest ?? {}
    const code = updated.outcome?.failure?.applicationFailureInfo?.type
    const [result] = readAll(updated.outcome?.success?.payloads)
    return { kind: 'updateCompleted', update: input?.name ?? '', result, code: code ?? undefined }
  }
  if (scheduled) {
    const args = readAll(scheduled.input?.payloads)
    return { kind: 'activityScheduled', activity: scheduled.activityType?.name ?? '', summary, args }
  }
  if (completed) {
    const [result] = readAll(completed.result?.payloads)
    return { kind: 'activityCompleted', activity: activityOf(completed.scheduledEventId), attempts: 1, result }
  }
  if (failed) {
    const code = failed.failure?.applicationFailureInfo?.type ?? ''
    return { kind: 'activityFailed', activity: activityOf(failed.scheduledEventId), attempts: 1, code }
  }
  if (event.activityTaskTimedOutEventAttributes) {
    const { scheduledEventId } = event.activityTaskTimedOutEventAttributes
    return { kind: 'activityTimedOut', activity: activityOf(scheduledEventId), attempts: 1 }
  }
  if (event.activityTaskCancelRequestedEventAttributes) {
    const { scheduledEventId } = event.activityTaskCancelRequestedEventAttributes
    return { kind: 'activityCancelRequested', activity: activityOf(scheduledEventId) }
  }
  if (event.activityTaskCanceledEventAttributes) {
    return {
      kind: 'activityCanceled',
      activity: activityOf(event.activityTaskCanceledEventAttributes.scheduledEventId),
    }
  }
  if (timer) return { kind: 'timerStarted', summary, length: 0 }
  if (event.timerFiredEventAttributes) {
    return { kind: 'timerFired', summary: timerOf(event.timerFiredEventAttributes.startedEventId) }
  }
  if (event.timerCanceledEventAttributes) {
    return { kind: 'timerCanceled', summary: timerOf(event.timerCanceledEventAttributes.startedEventId) }
  }
  if (attributes) {
    const fields = Object.entries(attributes.searchAttributes?.indexedFields ?? {})
    return { kind: 'attributes', changed: Object.fromEntries(fields.map(([name, value]) => [name, read(value)])) }
  }
  if (child) {
    const args = readAll(child.input?.payloads) as never
    return { kind: 'childInitiated', workflow: child.workflowType?.name ?? '', summary, args }
  }
  const { childWorkflowExecutionStartedEventAttributes: begun, childWorkflowExecutionCompletedEventAttributes: over } =
    event
  if (begun) return { kind: 'childStarted', workflow: begun.workflowType?.name ?? '' }
  if (over) return { kind: 'childCompleted', workflow: over.workflowType?.name ?? '' }
  if (event.workflowExecutionCancelRequestedEventAttributes) return { kind: 'cancelRequested' }
  if (ended) return { kind: 'completed', result: readAll(ended.result?.payloads)[0] as never }
  if (endedEarly) {
    return { kind: 'failed', code: endedEarly.failure?.applicationFailureInfo?.type ?? '', message: '' }
  }
  if (event.workflowExecutionContinuedAsNewEventAttributes) return { kind: 'continuedAsNew' }
  return undefined
}

type Payload = NonNullable<NonNullable<RecordedEvent['userMetadata']>['summary']>

/** The JSON of a payload; its bytes are in base64. */
function read(payload: Payload | null | undefined): unknown {
  if (payload?.data == null) return undefined
  const text = Buffer.from(String(payload.data), 'base64').toString('utf8')
  return text === '' ? undefined : JSON.parse(text)
}

function readAll(payloads: readonly Payload[] | null | undefined): unknown[] {
  return (payloads ?? []).map(read)
}
