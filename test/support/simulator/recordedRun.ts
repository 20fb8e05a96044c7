import type { History } from '@temporalio/worker'
import { type Delivered, type Delivery, inOrder } from '../../../simulator/delivery.ts'
import type { Happening } from '../../../simulator/timeLine.ts'

type Event = NonNullable<History['events']>[number]

/** A message or an end that a recorded workflow task has handled. */
type Handled =
  | { readonly kind: 'signal'; readonly role: string | undefined; readonly uid: string; readonly stateCode: string }
  | { readonly kind: string; readonly name: string }

export interface RecordedRun {
  readonly happenings: readonly Happening[]
  /** By workflow task. */
  readonly handled: readonly (readonly Handled[])[]
}

/** Reads a recorded run in the terms of the simulator. */
export function readRun(history: History): RecordedRun {
  const events = history.events ?? []
  const byId = new Map(events.map(event => [String(event.eventId), event]))
  const happenings = events.flatMap(event => toHappening(event, byId) ?? [])
  const roles = new Map<string, string>()
  for (const happening of happenings) findRoles(happening, roles)
  return { happenings, handled: toTasks(events, happenings, byId, roles) }
}

function toHappening(event: Event, byId: ReadonlyMap<string, Event>): Happening | undefined {
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

type Payload = NonNullable<NonNullable<Event['userMetadata']>['summary']>

/** The JSON of a payload; its bytes are in base64. */
function read(payload: Payload | null | undefined): unknown {
  if (payload?.data == null) return undefined
  const text = Buffer.from(String(payload.data), 'base64').toString('utf8')
  return text === '' ? undefined : JSON.parse(text)
}

function readAll(payloads: readonly Payload[] | null | undefined): unknown[] {
  return (payloads ?? []).map(read)
}

/** Notes the role of each shipment that a value names. */
function findRoles(value: unknown, roles: Map<string, string>): void {
  if (value === null || typeof value !== 'object') return
  const { role, shipmentUid } = value as { role?: unknown; shipmentUid?: unknown }
  if (typeof role === 'string' && typeof shipmentUid === 'string') roles.set(shipmentUid, role)
  for (const member of Object.values(value)) findRoles(member, roles)
}

/** The events of each workflow task: those before its start, and the updates that it has accepted. */
function toTasks(
  events: readonly Event[],
  _happenings: readonly Happening[],
  byId: ReadonlyMap<string, Event>,
  roles: ReadonlyMap<string, string>,
): Handled[][] {
  const tasks: Handled[][] = []
  let arrived: Handled[] = []
  for (const event of events) {
    const happening = toHappening(event, byId)
    if (event.workflowTaskStartedEventAttributes) {
      tasks.push(arrived)
      arrived = []
    } else if (event.workflowTaskFailedEventAttributes || event.workflowTaskTimedOutEventAttributes) {
      // The next task handles everything again.
      arrived = [...(tasks.pop() ?? []), ...arrived]
    } else if (happening?.kind === 'updateAccepted') {
      tasks.at(-1)?.push({ kind: 'update', name: happening.update })
    } else if (happening !== undefined) {
      const handled = toHandled(happening, roles)
      if (handled !== undefined) arrived.push(handled)
    }
  }
  return tasks
}

function toHandled(happening: Happening, roles: ReadonlyMap<string, string>): Handled | undefined {
  switch (happening.kind) {
    case 'signal': {
      const { shipmentUid: uid, stateCode } = happening.argument
      return { kind: 'signal', role: roles.get(uid), uid, stateCode }
    }
    case 'activityCompleted':
    case 'activityFailed':
    case 'activityTimedOut':
    case 'activityCanceled':
      return { kind: 'activity', name: happening.activity }
    case 'timerFired':
      return { kind: 'timer', name: happening.summary }
    case 'childStarted':
    case 'childCompleted':
    case 'cancelRequested':
      return { kind: happening.kind, name: '' }
    default:
      return undefined
  }
}

/** Delivers as in recorded runs: the same events in the same workflow tasks. */
export function deliverAs(runs: readonly RecordedRun[]): Delivery {
  const tasks = runs.flatMap(({ handled }) => handled)
  const roles = new Map<string, string>()
  // The start delivers the first one.
  let next = 1
  return arrived => {
    for (const { arrival } of arrived) if (arrival.kind === 'activity') findRoles(arrival.result, roles)
    // The first task of a new run has no events of its own.
    while (tasks[next]?.length === 0) next++
    const wanted = tasks[next]
    if (wanted === undefined) return inOrder(arrived)
    const indexes: number[] = []
    for (const each of wanted) {
      const index = arrived.findIndex((one, at) => !indexes.includes(at) && isMeant(each, one, roles))
      if (index < 0) return []
      indexes.push(index)
    }
    next++
    return indexes
  }
}

/** The shipment of callbacks that make a history long, in `growLong`. */
export const foreignUid = 'another'

function isMeant(wanted: Handled, { arrival }: Delivered, roles: ReadonlyMap<string, string>): boolean {
  if (arrival.kind !== wanted.kind) return false
  if (arrival.kind === 'signal' && 'stateCode' in wanted) {
    const { shipmentUid, stateCode } = arrival.argument
    if (wanted.uid === foreignUid || shipmentUid === foreignUid) return wanted.uid === shipmentUid
    const isSame =
      wanted.role === undefined || roles.get(shipmentUid) === undefined || roles.get(shipmentUid) === wanted.role
    return stateCode === wanted.stateCode && isSame
  }
  const name = 'name' in arrival ? arrival.name : 'summary' in arrival ? arrival.summary : ''
  return 'name' in wanted && name === wanted.name
}

/** The happenings as lines in which times, uids and everything that follows from them look the same. */
export function toLines(happenings: readonly Happening[]): string[] {
  const uids = new Map<string, string>()
  const numberOf = (uid: string) => {
    if (!uids.has(uid)) uids.set(uid, `uid-${uids.size + 1}`)
    return uids.get(uid) ?? ''
  }
  const stopping = new Set<string>()
  return happenings
    .filter(({ kind }) => kind !== 'told' && kind !== 'refused')
    .map(given => {
      const happening = toStopped(given, stopping)
      const {
        at: _at,
        attempts: _attempts,
        length: _length,
        message: _message,
        ...rest
      } = happening as never as Record<string, unknown>
      return sorted(rest)
        .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, numberOf)
        .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z?"/g, '"time"')
        .replaceAll(/"[0-9a-f]{64}"/g, '"hash"')
        .replaceAll(/"(lockerName|mailCode)":"[^"]*"/g, '"$1":"any"')
        .replaceAll(/127\.0\.0\.1:\d+/g, 'host')
        .replaceAll(/:\d{4,}(\.\d+)?/g, ':number')
    })
}

/** JSON with sorted keys. Null counts as absent. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (member === null || typeof member !== 'object' || Array.isArray(member)) return member
    // A plan follows its declaration: recorded flows keep theirs.
    if ('fingerprint' in member && 'steps' in member) return { steps: toNames(member.steps) }
    const entries = Object.entries(member).filter(([, each]) => each !== null && each !== undefined)
    return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
  })
}

/** The end of an activity that was cancelled: chance decides whether an attempt was under way. */
function toStopped(happening: Happening, stopping: Set<string>): object {
  if (happening.kind === 'activityCancelRequested') stopping.add(happening.activity)
  if (happening.kind !== 'activityFailed' && happening.kind !== 'activityCanceled') return happening
  if (!stopping.delete(happening.activity)) return happening
  return { kind: 'activityStopped', activity: happening.activity }
}

function toNames(steps: unknown): string[] {
  return (steps as readonly { kind: string; name: string }[]).map(({ kind, name }) => `${kind} ${name}`)
}
