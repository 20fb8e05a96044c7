import type { FlowPicture, PictureStep } from '#flows'
import { describeCause, hasFailed } from '#flows/pictureOfRun'
import { escapeLabel } from './diagram.ts'

const styles = [
  '  classDef done fill:#d6f5d6,stroke:#2e7d32',
  '  classDef current fill:#fff3c4,stroke:#b26a00,stroke-width:3px',
  '  classDef leftOut fill:#f4f4f4,stroke:#bbb,color:#888,stroke-dasharray:4 3',
]

const failedStyle = '  classDef failed fill:#fde0dc,stroke:#c62828'

/** A Mermaid picture of a run: the path that it took with thick arrows, its current step, and the steps that may come. */
export function runDiagram(picture: FlowPicture): string {
  const { flow, caseNo, outcome, steps } = picture
  const failed = steps.findIndex(step => hasFailed(picture, step))
  const ids = (state: PictureStep['state']) =>
    steps.flatMap((step, index) => (step.state === state && index !== failed ? [`s${index}`] : [])).join(',')
  const classes = (['done', 'current', 'leftOut'] as const).flatMap(state =>
    ids(state) === '' ? [] : [`  class ${ids(state)} ${state}`],
  )
  return [
    '```mermaid',
    'flowchart TD',
    `  start(["${escapeLabel(flow)}, case ${escapeLabel(caseNo)}"])`,
    ...steps.map(
      (step, index) =>
        `  s${index}["<b>${escapeLabel(step.name)}</b><br/>${linesOf(picture, step).map(escapeLabel).join('<br/>')}"]`,
    ),
    `  finish(["${escapeLabel(outcome ?? 'end')}"])`,
    ...arrows(picture),
    ...styles,
    ...classes,
    ...(failed < 0 ? [] : [failedStyle, `  class s${failed} failed`]),
    '```',
  ].join('\n')
}

/** The sentences of a step: its summary, and its times. */
export function linesOf(picture: FlowPicture, step: PictureStep): string[] {
  const { until, overdue } = picture
  const { summary, state, since, left, window } = step
  const loop = step.progress === undefined ? [] : [`${step.progress.ended} of ${step.progress.of}`]
  if (state === 'leftOut') return [summary, 'left out']
  if (state === 'ahead') return [summary, ...(window === null ? [] : [window])]
  if (state === 'done') return [summary, [describeCause(picture, step), shortTime(left)].filter(Boolean).join(' ')]
  // A recorded run has no deadline, nor has one that is overdue.
  const end = until !== null ? `until ${shortTime(until)}` : window === null ? 'without an end' : `window ${window}`
  return [
    summary,
    [...loop, overdue && 'overdue', since && `since ${shortTime(since)}`, end].filter(Boolean).join(', '),
  ]
}

/** To the minute, in UTC. */
function shortTime(moment: string | null): string {
  return moment === null ? '' : `${moment.slice(0, 16).replace('T', ' ')} UTC`
}

function arrows(picture: FlowPicture): string[] {
  const { steps } = picture
  const idOf = (name: string, after: number) => {
    const index = steps.findIndex((step, at) => at > after && step.name === name)
    return index < 0 ? 'finish' : `s${index}`
  }
  const walked = steps.flatMap((step, index) => {
    const { state, next } = step
    if (state !== 'done' || next === null) return []
    return [`  s${index} ==>|"${escapeLabel(describeCause(picture, step))}"| ${idOf(next, index)}`]
  })
  const from = steps.findIndex(({ state }) => state === 'current' || state === 'ahead')
  const coming = steps.flatMap((_, index) =>
    from < 0 || index < from ? [] : [`  s${index} -.-> ${index + 1 < steps.length ? `s${index + 1}` : 'finish'}`],
  )
  return [`  start ==> ${idOf(steps.find(({ state }) => state !== 'leftOut')?.name ?? '', -1)}`, ...walked, ...coming]
}
