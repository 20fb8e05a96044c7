import { setCurrentDetails } from '@temporalio/workflow'
import type { PlannedStage } from '#activities/interface'
import { findDeclaration } from '#workflows/flows'
import { publishAttributes } from './attributes.ts'
import { leftOverLines, refusalLines, shipmentLines } from './boardLists.ts'
import { moment, plain } from './markdown.ts'
import { type Course, leftOverOf, type Run } from './run.ts'

const states = {
  booking: 'Booking.',
  waiting: 'Waiting.',
  overdue: 'Overdue.',
  cleaningUp: 'Cleaning up.',
} as const

/** What the passing of a window leads to. */
const then = {
  remind: 'then it is overdue and the window starts again',
  cancel: 'then the flow ends as expired, and what holds no item is cancelled',
  ask: 'then somebody has to decide',
} as const

/** Shows where the flow is: search attributes for lists, a board in Markdown for the one who looks at this run. */
export function publish(run: Run): void {
  show(run)
  if (run.course !== undefined) publishAttributes(run)
}

/** The board alone, which is no event of the history. */
export function show(run: Run): void {
  setCurrentDetails(boardOf(run))
}

/** Nothing personal, no access codes and no words of the service: everybody who may look at flows sees this. */
function boardOf(run: Run): string {
  const { flow, input, course } = run
  const shipments = course?.shipments ?? []
  return [
    `### Case ${plain(input?.caseNo)}`,
    findDeclaration(flow)?.summary ?? plain(flow),
    '',
    headline(run),
    '',
    ...(course === undefined ? [] : clock(run, course)),
    ...section('Shipments', shipmentLines(shipments)),
    ...section('Left over, for a person', leftOverLines(leftOverOf(run), shipments)),
    ...section('Not believed, or failed', refusalLines(course?.refusals ?? [])),
  ].join('\n')
}

/** What one has to know first. */
function headline(run: Run): string {
  const { state, booking, result, course } = run
  if (state !== 'ended') {
    const stage = stageOf(run)
    const count = course?.plan.stages.length ?? 0
    const where = stage && `Stage ${stage.name}, ${(course?.stage ?? 0) + 1} of ${count}: ${plain(stage.summary)}`
    return `**${states[state]}** ${where ?? ''}`
  }
  if (result !== undefined) return `**Ended: ${result.outcome}.**`
  const { type, message } = typeof booking === 'object' ? booking.failure : { type: null, message: '' }
  return `**Failed: ${plain(type ?? 'InternalError')}.** ${plain(message)}`
}

function clock(run: Run, { since, deadline }: Course): string[] {
  const stage = stageOf(run)
  const by = deadline === null ? '' : moment(deadline)
  const beginning = `- ${stage ? 'in this stage ' : ''}since ${moment(since)}`
  if (run.state === 'booking' && by !== '') return [beginning, `- without an answer, given up at ${by}`]
  if (stage === undefined) return [beginning]
  if (run.state !== 'overdue') {
    return [beginning, by === '' ? '- no deadline' : `- deadline ${by}${stage.answer ? `, ${then[stage.answer]}` : ''}`]
  }
  const next = by === '' ? 'update `decide` with extend, cancel or keepWaiting' : `started again, until ${by}`
  return [beginning, `- the window has passed: ${next}`]
}

/** The stage in which somebody is waited for. */
function stageOf({ state, course }: Run): PlannedStage | undefined {
  return state === 'waiting' || state === 'overdue' ? course?.plan.stages[course.stage] : undefined
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? ['', `**${title}**`, '', ...lines] : []
}
