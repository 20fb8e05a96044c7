import type { FlowPicture, PictureStep } from '#flows'
import { describeCause, hasFailed } from '#flows/pictureOfRun'
import type { Output } from '../command/output.ts'
import { moment, plain, table } from './text.ts'

const marks = { done: '✓', failed: '✗', current: '▶', ahead: '○', leftOut: '–' } as const satisfies Record<
  PictureStep['state'] | 'failed',
  string
>

/** The parts of a status that its picture does not have. */
export interface PictureContext {
  readonly overdueSince: string | null
  /** How Temporal ended the run in its current step. */
  readonly endedFromOutside: string | null
}

/** A line for each step, with its state and times. */
export function pictureLines(
  picture: FlowPicture,
  { overdueSince, endedFromOutside }: PictureContext,
  style: Output['style'],
): string[] {
  const { steps, overdue } = picture
  const isLast = ({ state }: PictureStep) => endedFromOutside !== null && state === 'current'
  const states = steps.map(step => (isLast(step) || hasFailed(picture, step) ? 'failed' : step.state))
  const rows = steps.map((step, index) => [
    marks[states[index] ?? step.state],
    `${'  '.repeat(step.depth ?? 0)}${plain(step.name)}${step.progress ? ` ${step.progress.ended}/${step.progress.of}` : ''}`,
    plain(step.summary),
    isLast(step) ? `${endedFromOutside}` : timesOf(picture, step, overdueSince),
  ])
  return table(rows).map((line, index) => {
    const state = states[index]
    if (state === 'failed') return style('red', line)
    if (state === 'current') return style(overdue ? 'red' : 'bold', line)
    return state === 'done' ? style('green', line) : style('dim', line)
  })
}

function timesOf(picture: FlowPicture, step: PictureStep, overdueSince: string | null): string {
  const { overdue, until } = picture
  const { state, left, window } = step
  if (state === 'done') return plain(`${describeCause(picture, step)} ${moment(left)}`).trim()
  if (state === 'leftOut') return 'left out'
  if (state === 'ahead') return window ?? ''
  if (overdue) return overdueSince === null ? 'overdue' : `overdue since ${moment(overdueSince)}`
  if (until !== null) return `until ${moment(until)}`
  return window === null ? '' : `window ${window}`
}
