import type { History } from '@temporalio/worker'

/** An event with a name in the Web UI: an activity, a timer, or a child workflow. */
export interface Named {
  readonly kind: 'activity' | 'timer' | 'child'
  /** The name that the Web UI shows without a summary. */
  readonly type: string
  readonly summary: string
}

/** Characters, and the limit of Temporal in bytes. */
const [shortest, longest] = [10, 200]

/** The named events of a history, from the server or from a file. */
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

/** True if the summary is a sentence, and short enough for Temporal. */
export function isWellNamed({ type, summary }: Named): boolean {
  const inWords = summary.includes(' ') && summary.toLowerCase() !== type.toLowerCase()
  return inWords && summary.length >= shortest && Buffer.byteLength(summary) <= longest
}

/** In a file the bytes are base64. */
function readSummary(data: Uint8Array | string | null | undefined): string {
  if (!data) return ''
  const bytes = typeof data === 'string' ? Buffer.from(data, 'base64') : Buffer.from(data)
  return String(JSON.parse(bytes.toString()))
}
