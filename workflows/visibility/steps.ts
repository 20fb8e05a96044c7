import type { PictureStep } from '#flows'
import { hasFailed } from '#flows/pictureOfRun'
import { type FlowContext, stateOf } from '../context.ts'
import { escapeMarkdown, moment } from '../markdown.ts'
import { findPicture } from '../status.ts'

/** The steps that are shown around the current one: a flow can have two hundred. */
const neighbours = { before: 3, after: 5 } as const

const marks = { done: '✓', failed: '✗', current: '▶', leftOut: '–', ahead: '○' } as const satisfies Record<
  PictureStep['state'] | 'failed',
  string
>

/** The way that the flow took, the current step, and the steps that may come. The Web UI renders no Mermaid. */
export function stepLines(flow: FlowContext): string[] {
  const picture = findPicture(flow)
  if (picture === null || stateOf(flow) === 'booking') return []
  const { steps, until } = picture
  if (steps.length < 2) return []
  const current = steps.findIndex(({ state }) => state === 'current')
  const last = steps.findLastIndex(({ state }) => state === 'done')
  const middle = current < 0 ? Math.max(0, last) : current
  const from = Math.max(0, middle - neighbours.before)
  const to = Math.min(steps.length, middle + neighbours.after + 1)
  const shown = steps.slice(from, to).map((step, index) => {
    const text = `${escapeMarkdown(step.name)}: ${escapeMarkdown(step.summary)}`
    const failed = hasFailed(picture, step)
    const mark = marks[failed ? 'failed' : step.state]
    const loop = step.progress === undefined ? '' : ` (${step.progress.ended} of ${step.progress.of})`
    const line = `${from + index + 1}. ${'› '.repeat(step.depth ?? 0)}${mark} ${step.state === 'current' ? `**${text}**` : text}${loop}`
    return failed && step.cause === null ? `${line} (failed)` : `${line}${timeOf(step, until)}`
  })
  const rest = steps.length - to
  return [...(from > 0 ? [`${from} earlier`, ''] : []), ...shown, ...(rest > 0 ? ['', `and ${rest} more`] : [])]
}

/** At most 60 bytes besides a path. */
function timeOf({ state, left, cause, window }: PictureStep, until: string | null): string {
  if (state === 'done') return left === null ? '' : ` (${escapeMarkdown(cause)}, ${moment(Date.parse(left))})`
  if (state === 'leftOut') return ' (left out)'
  if (state === 'current') return until === null ? '' : ` (until ${moment(Date.parse(until))})`
  return window === null ? '' : ` (${escapeMarkdown(window)})`
}
