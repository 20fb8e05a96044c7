import type { History } from '@temporalio/worker'
import type { TimeLineEvent } from '../../../testing/simulator/timeLine.ts'
import { type RecordedEvent, toTimeLineEvent } from './recordedEvent.ts'

/** A message or an end that a recorded workflow task has handled. */
export type Handled =
  | { readonly kind: 'signal'; readonly role: string | undefined; readonly uid: string; readonly stateCode: string }
  | { readonly kind: string; readonly name: string }

export interface RecordedRun {
  readonly timeLineEvents: readonly TimeLineEvent[]
  /** By workflow task. */
  readonly handled: readonly (readonly Handled[])[]
}

/** Reads a recorded run in the terms of the simulator. */
export function readRun(history: History): RecordedRun {
  const events = history.events ?? []
  const byId = new Map(events.map(event => [String(event.eventId), event]))
  const read = events.map((event): ReadEvent => ({ event, timeLineEvent: toTimeLineEvent(event, byId) }))
  const timeLineEvents = read.flatMap(({ timeLineEvent }) => timeLineEvent ?? [])
  const roles = new Map<string, string>()
  for (const timeLineEvent of timeLineEvents) findRoles(timeLineEvent, roles)
  return { timeLineEvents, handled: toTasks(read, roles) }
}

interface ReadEvent {
  readonly event: RecordedEvent
  readonly timeLineEvent: TimeLineEvent | undefined
}

/** Notes the role of each shipment that a value names. */
export function findRoles(value: unknown, roles: Map<string, string>): void {
  if (value === null || typeof value !== 'object') return
  const { role, shipmentUid } = value as { role?: unknown; shipmentUid?: unknown }
  if (typeof role === 'string' && typeof shipmentUid === 'string') roles.set(shipmentUid, role)
  for (const member of Object.values(value)) findRoles(member, roles)
}

/** The events of each workflow task: those before its start, and the updates that it has accepted. */
function toTasks(read: readonly ReadEvent[], roles: ReadonlyMap<string, string>): Handled[][] {
  const tasks: Handled[][] = []
  let arrived: Handled[] = []
  for (const { event, timeLineEvent } of read) {
    if (event.workflowTaskStartedEventAttributes) {
      tasks.push(arrived)
      arrived = []
    } else if (event.workflowTaskFailedEventAttributes || event.workflowTaskTimedOutEventAttributes) {
      // The next task handles everything again.
      arrived = [...(tasks.pop() ?? []), ...arrived]
    } else if (timeLineEvent?.kind === 'updateAccepted') {
      tasks.at(-1)?.push({ kind: 'update', name: timeLineEvent.update })
    } else if (timeLineEvent !== undefined) {
      const handled = toHandled(timeLineEvent, roles)
      if (handled !== undefined) arrived.push(handled)
    }
  }
  return tasks
}

function toHandled(timeLineEvent: TimeLineEvent, roles: ReadonlyMap<string, string>): Handled | undefined {
  switch (timeLineEvent.kind) {
    case 'signal': {
      const { shipmentUid: uid, stateCode } = timeLineEvent.argument
      return { kind: 'signal', role: roles.get(uid), uid, stateCode }
    }
    case 'activityCompleted':
    case 'activityFailed':
    case 'activityTimedOut':
    case 'activityCanceled':
      return { kind: 'activity', name: timeLineEvent.activity }
    case 'timerFired':
      return { kind: 'timer', name: timeLineEvent.summary }
    case 'childStarted':
    case 'childCompleted':
    case 'cancelRequested':
      return { kind: timeLineEvent.kind, name: '' }
    default:
      return undefined
  }
}
