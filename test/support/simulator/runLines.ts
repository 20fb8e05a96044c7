import type { TimeLineEvent } from '../../../testing/simulator/timeLine.ts'

/** Events of a time line as lines in which times, uids and everything that follows from them look the same. */
export function toLines(timeLineEvents: readonly TimeLineEvent[]): string[] {
  const uids = new Map<string, string>()
  const numberOf = (uid: string) => {
    if (!uids.has(uid)) uids.set(uid, `uid-${uids.size + 1}`)
    return uids.get(uid) ?? ''
  }
  const stopping = new Set<string>()
  return timeLineEvents
    .filter(({ kind }) => kind !== 'storyEvent' && kind !== 'refused')
    .map(given => {
      const timeLineEvent = toStopped(given, stopping)
      const {
        at: _at,
        attempts: _attempts,
        length: _length,
        message: _message,
        ...rest
      } = timeLineEvent as never as Record<string, unknown>
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
function toStopped(timeLineEvent: TimeLineEvent, stopping: Set<string>): object {
  if (timeLineEvent.kind === 'activityCancelRequested') stopping.add(timeLineEvent.activity)
  if (timeLineEvent.kind !== 'activityFailed' && timeLineEvent.kind !== 'activityCanceled') return timeLineEvent
  if (!stopping.delete(timeLineEvent.activity)) return timeLineEvent
  return { kind: 'activityStopped', activity: timeLineEvent.activity }
}

function toNames(steps: unknown): string[] {
  return (steps as readonly { kind: string; name: string }[]).map(({ kind, name }) => `${kind} ${name}`)
}
