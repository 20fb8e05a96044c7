import type { History } from '@temporalio/worker'

/** What the Web UI shows a name for: an activity, a timer, or a workflow that is started. */
export interface Named {
  readonly kind: 'activity' | 'timer' | 'child'
  /** What is shown without a summary. */
  readonly type: string
  readonly summary: string
}

/** Characters and bytes: what is too short says nothing, and Temporal takes no more than so many. */
const [shortest, longest] = [10, 200]

/** What a history has names for, one that was read from a file, too. */
export function namedIn({ events }: History): Named[] {
  return (events ?? []).flatMap((event): Named[] => {
    const { activityTaskScheduledEventAttributes: activity, timerStartedEventAttributes: timer } = event
    const { startChildWorkflowExecutionInitiatedEventAttributes: child } = event
    const summary = readSummary(event.userMetadata?.summary?.data)
    if (activity) return [{ kind: 'activity', type: activity.activityType?.name ?? '', summary }]
    if (timer) return [{ kind: 'timer', type: 'timer', summary }]
    return child ? [{ kind: 'child', type: child.workflowType?.name ?? '', summary }] : []
  })
}

/** Whether it says in words what it is for, and Temporal takes it. */
export function isWellNamed({ type, summary }: Named): boolean {
  const inWords = summary.includes(' ') && summary.toLowerCase() !== type.toLowerCase()
  return inWords && summary.length >= shortest && Buffer.byteLength(summary) <= longest
}

/** Bytes are text in base64 in a file. */
function readSummary(data: Uint8Array | string | null | undefined): string {
  if (!data) return ''
  const bytes = typeof data === 'string' ? Buffer.from(data, 'base64') : Buffer.from(data)
  return String(JSON.parse(bytes.toString()))
}
