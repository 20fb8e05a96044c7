import type { History } from '@temporalio/worker'
import type { TimeLineEvent } from '../../../testing/simulator/timeLine.ts'

export type RecordedEvent = NonNullable<History['events']>[number]

type ById = ReadonlyMap<string, RecordedEvent>

/** A recorded event in the terms of the simulator; undefined for one that the simulator does not have. */
export function toTimeLineEvent(event: RecordedEvent, byId: ById): TimeLineEvent | undefined {
  return toMessage(event, byId) ?? toActivity(event, byId) ?? toTimer(event, byId) ?? toChild(event) ?? toRun(event)
}

function toMessage(event: RecordedEvent, byId: ById): TimeLineEvent | undefined {
  const {
    workflowExecutionSignaledEventAttributes: signaled,
    workflowExecutionUpdateAcceptedEventAttributes: accepted,
    workflowExecutionUpdateCompletedEventAttributes: updated,
  } = event
  if (signaled) {
    const [argument] = readAll(signaled.input?.payloads)
    return { kind: 'signal', signal: signaled.signalName ?? '', argument: argument as never }
  }
  if (accepted) {
    const { name, args } = accepted.acceptedRequest?.input ?? {}
    return { kind: 'updateAccepted', update: name ?? '', argument: readAll(args?.payloads)[0] }
  }
  if (!updated) return undefined
  const { input } =
    byId.get(String(updated.acceptedEventId))?.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest ?? {}
  const code = updated.outcome?.failure?.applicationFailureInfo?.type
  const [result] = readAll(updated.outcome?.success?.payloads)
  return { kind: 'updateCompleted', update: input?.name ?? '', result, code: code ?? undefined }
}

function toActivity(event: RecordedEvent, byId: ById): TimeLineEvent | undefined {
  const {
    activityTaskScheduledEventAttributes: scheduled,
    activityTaskCompletedEventAttributes: completed,
    activityTaskFailedEventAttributes: failed,
    activityTaskTimedOutEventAttributes: timedOut,
    activityTaskCancelRequestedEventAttributes: cancelRequested,
    activityTaskCanceledEventAttributes: canceled,
  } = event
  if (scheduled) {
    const args = readAll(scheduled.input?.payloads)
    return { kind: 'activityScheduled', activity: scheduled.activityType?.name ?? '', summary: summaryOf(event), args }
  }
  const id = (completed ?? failed ?? timedOut ?? cancelRequested ?? canceled)?.scheduledEventId
  const activity = byId.get(String(id))?.activityTaskScheduledEventAttributes?.activityType?.name ?? ''
  if (completed) {
    const [result] = readAll(completed.result?.payloads)
    return { kind: 'activityCompleted', activity, attempts: 1, result }
  }
  if (failed) {
    const code = failed.failure?.applicationFailureInfo?.type ?? ''
    return { kind: 'activityFailed', activity, attempts: 1, code }
  }
  if (timedOut) return { kind: 'activityTimedOut', activity, attempts: 1 }
  if (cancelRequested) return { kind: 'activityCancelRequested', activity }
  return canceled ? { kind: 'activityCanceled', activity } : undefined
}

function toTimer(event: RecordedEvent, byId: ById): TimeLineEvent | undefined {
  const {
    timerStartedEventAttributes: started,
    timerFiredEventAttributes: fired,
    timerCanceledEventAttributes: canceled,
  } = event
  if (started) return { kind: 'timerStarted', summary: summaryOf(event), length: 0 }
  const summary = summaryOf(byId.get(String((fired ?? canceled)?.startedEventId)))
  if (fired) return { kind: 'timerFired', summary }
  return canceled ? { kind: 'timerCanceled', summary } : undefined
}

function toChild(event: RecordedEvent): TimeLineEvent | undefined {
  const {
    startChildWorkflowExecutionInitiatedEventAttributes: initiated,
    childWorkflowExecutionStartedEventAttributes: started,
    childWorkflowExecutionCompletedEventAttributes: completed,
  } = event
  const workflow = (initiated ?? started ?? completed)?.workflowType?.name ?? ''
  if (initiated) {
    const args = readAll(initiated.input?.payloads) as never
    return { kind: 'childInitiated', workflow, summary: summaryOf(event), args }
  }
  if (started) return { kind: 'childStarted', workflow }
  return completed ? { kind: 'childCompleted', workflow } : undefined
}

function toRun(event: RecordedEvent): TimeLineEvent | undefined {
  const {
    upsertWorkflowSearchAttributesEventAttributes: attributes,
    workflowExecutionCompletedEventAttributes: completed,
    workflowExecutionFailedEventAttributes: failed,
  } = event
  if (event.workflowExecutionStartedEventAttributes) return { kind: 'started' }
  if (attributes) {
    const fields = Object.entries(attributes.searchAttributes?.indexedFields ?? {})
    return { kind: 'attributes', changed: Object.fromEntries(fields.map(([name, value]) => [name, read(value)])) }
  }
  if (event.workflowExecutionCancelRequestedEventAttributes) return { kind: 'cancelRequested' }
  if (completed) return { kind: 'completed', result: readAll(completed.result?.payloads)[0] as never }
  if (failed) return { kind: 'failed', code: failed.failure?.applicationFailureInfo?.type ?? '', message: '' }
  return event.workflowExecutionContinuedAsNewEventAttributes ? { kind: 'continuedAsNew' } : undefined
}

function summaryOf(event: RecordedEvent | undefined): string {
  return String(read(event?.userMetadata?.summary) ?? '')
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
