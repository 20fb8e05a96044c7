import type { FlowPicture, PictureStep } from '#flows'
import { describeCause, hasFailed } from '#flows/pictureOfRun'
import type { Output } from '../command/output.ts'
import { moment, plain, table } from './text.ts'

const marks = { done: '✓', failed: '✗', current: '▶', ahead: '○', leftOut: '–' } as const satisfies Record<
  PictureStep['state'] | 'failed',
  string
>

/**
 * A line for each step, with its state and times.
 * @param endedFromOutside how Temporal ended the run in its current step
 */
export function pictureLines(picture: FlowPicture, endedFromOutside: string | null, style: Output['style']): string[] {
  const { steps, overdue } = picture
  const isLast = ({ state }: PictureStep) => endedFromOutside !== null && state === 'current'
  const states = steps.map(step => (isLast(step) || hasFailed(picture, step) ? 'failed' : step.state))
  const rows = steps.map((step, index) => [
    marks[states[index] ?? step.state],
    plain(step.name),
    plain(step.summary),
    isLast(step) ? `${endedFromOutside}` : timesOf(picture, step),
  ])
  return table(rows).map((line, index) => {
    const state = states[index]
    if (state === 'failed') return style('red', line)
    if (state === 'current') return style(overdue ? 'red' : 'bold', line)
    return state === 'done' ? style('green', line) : style('dim', line)
  })
}

function timesOf(picture: FlowPicture, step: PictureStep): string {
  const { overdue, until } = picture
  const { state, left, window } = step
  if (state === 'done') return plain(`${describeCause(picture, step)} ${moment(left)}`).trim()
  if (state === 'leftOut') return 'left out'
  if (state === 'ahead') return window ?? ''
  if (overdue) return until === null ? 'overdue' : `overdue since ${moment(until)}`
  if (until !== null) return `until ${moment(until)}`
  return window === null ? '' : `window ${window}`
}
