import type { Happening } from '../../../simulator/timeLine.ts'

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
