import { errorReference, isFinalState } from '#contract/terms'
import type { FlowLine, LeftOver, Rejection } from '#flows'
import { type FlowContext, listLeftOver, stateOf } from '../context.ts'
import { kindOf } from '../kinds/index.ts'
import { deadlineOf, findLine, linesOf, questionAt, toLines } from '../lines.ts'
import { isOutageAsked } from '../lockers/shipments.ts'
import { escapeMarkdown, moment, row, stateName } from '../markdown.ts'
import type { FlowProgress, ShipmentProgress } from '../progress.ts'
import { findStep } from '../status.ts'
import { findTimed } from '../steps/windows.ts'
import { stepLines } from './steps.ts'

/** The newest rejections that are shown. */
const maxRejections = 5

/** Rows of a list: current details have at most 20 KB. */
const maxRows = 20

const states = {
  booking: 'Booking.',
  waiting: 'Waiting.',
  overdue: 'Overdue.',
  cleaningUp: 'Cleaning up.',
} as const

/** Shows the flow's progress on the page of this run. */
export function showDetails(flow: FlowContext): void {
  flow.runtime.setCurrentDetails(() => toMarkdown(flow))
}

/** Every user of the Web UI sees this: no personal data, no access codes, and no text of the service. */
function toMarkdown(flow: FlowContext): string {
  const { name, input, progress } = flow
  const shipments = progress?.lockers.shipments ?? []
  return [
    `### Case ${escapeMarkdown(input?.caseNo)}`,
    progress === undefined ? escapeMarkdown(name) : progress.plan.summary,
    '',
    headline(flow),
    '',
    ...(progress === undefined ? [] : clock(flow, progress)),
    ...section('Waits for an answer', questionLines(flow)),
    ...section('At once', stateOf(flow) === 'ended' ? [] : lineLines(flow)),
    ...section('Steps', stepLines(flow)),
    ...section('Shipments', shipmentLines(shipments)),
    ...section('Left over for a person', leftOverLines(listLeftOver(flow), shipments)),
    ...section('Rejected or failed', rejectionLines(progress?.rejections ?? [])),
  ].join('\n')
}

function headline(flow: FlowContext): string {
  const { failure, result, progress } = flow
  const state = stateOf(flow)
  if (state !== 'ended') {
    const step = findStep(flow)
    const count = progress?.plan.steps.length ?? 0
    const place =
      step &&
      `Step ${step.name}, ${(progress ? findLine(progress).step : 0) + 1} of ${count}: ${escapeMarkdown(step.summary)}`
    return `**${states[state]}** ${place ?? ''}`
  }
  if (result !== undefined) return `**Ended: ${result.outcome}.**`
  const { type, message } = failure ?? { type: null, message: '' }
  const code = type ?? 'InternalError'
  const reference = errorReference(code)
  // The escape cuts long messages, and the address comes last.
  const problem = escapeMarkdown(message.replace(reference, '').trimEnd())
  return `**Failed: ${escapeMarkdown(code)}.** ${problem} ${reference}`
}

function clock(flow: FlowContext, progress: FlowProgress): string[] {
  const line = findLine(progress)
  const { resolving } = line
  const deadline = deadlineOf(progress, line)
  const step = findStep(flow)
  const state = stateOf(flow)
  const isEnding = state === 'ended' || state === 'cleaningUp'
  const since = (isEnding ? progress.way?.at(-1)?.at : undefined) ?? line.since
  const end = deadline === null ? '' : moment(deadline)
  const start = `- ${step ? 'in this step ' : ''}since ${moment(since)}`
  if (state === 'booking' && end !== '') return [start, givenUpLine(end)]
  if (step === undefined) return state === 'cleaningUp' ? [start, ...undoLine(progress)] : [start]
  if (resolving) return [start, '- its end is not known yet: the calendar of the pick up point decides it']
  if (state === 'overdue') {
    if (isOutageAsked(progress.lockers, line) && deadline === null) {
      return [start, '- a locker is out of service: update `decide` with extend, cancel or keepWaiting']
    }
    const asks = findTimed(step)?.onTimeout === 'ask' || end === ''
    const next =
      asks && end === '' ? 'update `decide` with extend, cancel or keepWaiting' : `started again, until ${end}`
    return [start, `- the window has passed: ${next}`]
  }
  return [start, ...(kindOf(step).describe?.(step, end) ?? [givenUpLine(end)])]
}

/** An undo is repeated for hours, and a paused one forever. */
function undoLine({ plan, undo, ending }: FlowProgress): string[] {
  const step = ending?.outcome === 'completed' ? undefined : plan.steps[undo.at(-1)?.step ?? -1]
  return step ? [`- undoes ${escapeMarkdown(step.name)}; Pending Activities has the last failure`] : []
}

/** Temporal retries the activity, and the workflow does not learn why. */
function givenUpLine(end: string): string {
  return `- given up at ${end} without a response; Pending Activities has the last failure`
}

function questionLines(flow: FlowContext): string[] {
  const { progress } = flow
  if (progress === undefined || findStep(flow) === undefined) return []
  const first = findLine(progress)
  const open = [first, ...linesOf(progress).filter(line => line !== first)].flatMap(
    line => questionAt(progress, line) ?? [],
  )
  const [question, ...others] = open
  if (question === undefined) return []
  const { step, who, answers } = question
  const lines = Object.entries(answers).map(([answer, fields]) => {
    const names = Object.keys(fields).map(escapeMarkdown).join(', ')
    return `- ${escapeMarkdown(answer)}${names === '' ? '' : ` with ${names}`}`
  })
  const also = others.map(other => `- ${escapeMarkdown(other.who)} answers ${escapeMarkdown(other.step)} too`)
  return [
    `- ${escapeMarkdown(who)} answers ${escapeMarkdown(step)} by the update \`answer\`:`,
    ...cut(lines, 32),
    ...cut(also, maxRows),
  ]
}

/** What runs beside each other, in a flow with blocks. Those that wait for a person come first. */
function lineLines({ progress }: FlowContext): string[] {
  const lines = progress && toLines(progress)
  if (lines === undefined || lines.length < 2) return []
  const needed = lines.toSorted((one, other) => rank(one) - rank(other))
  return cut(
    needed.map(({ step, overdue, asks, since, deadline }) => {
      const state = overdue ? '**overdue** ' : asks ? 'asks ' : ''
      const end = deadline === null ? '' : `, until ${moment(Date.parse(deadline))}`
      return `- ${escapeMarkdown(step)}: ${state}since ${moment(Date.parse(since))}${end}`
    }),
    maxRows,
  )
}

function rank({ overdue, asks }: FlowLine): number {
  return overdue ? 0 : asks ? 1 : 2
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? ['', `**${title}**`, '', ...lines] : []
}

/** The uids stand below the table, which is too narrow for them in the Web UI. */
function shipmentLines(shipments: readonly ShipmentProgress[]): string[] {
  if (shipments.length === 0) return []
  const shown = shipments.slice(-maxRows)
  const earlier = shipments.length - shown.length
  return [
    row('shipment', 'state', 'locker', 'since'),
    '|---|---|---|---|',
    ...shown.map(held =>
      row(escapeMarkdown(held.role), stateName(held.stateCode), lockerName(held), moment(held.stateStart)),
    ),
    '',
    ...shown.map(({ role, shipmentUid }) => `- ${escapeMarkdown(role)}: ${escapeMarkdown(shipmentUid)}`),
    ...(earlier > 0 ? [`- and ${earlier} earlier ones: see the query \`status\``] : []),
  ]
}

function lockerName({ lockerName, pupUid, lockerOutOfService, stateCode }: ShipmentProgress): string {
  const locker = lockerName === null ? 'unknown' : escapeMarkdown(lockerName)
  const place = pupUid === null ? locker : `${locker} at ${escapeMarkdown(pupUid)}`
  return lockerOutOfService && !isFinalState(stateCode) ? `${place}, **out of service**` : place
}

function leftOverLines(leftOver: readonly LeftOver[], shipments: readonly ShipmentProgress[]): string[] {
  const lines = leftOver.map(({ step, shipmentUid, reason }) => {
    const role = shipments.find(held => held.shipmentUid === shipmentUid)?.role
    return `- ${escapeMarkdown(role ?? shipmentUid ?? step)}: ${escapeMarkdown(reason)}`
  })
  return cut(lines, maxRows)
}

function cut(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines]
  return [...lines.slice(0, most), `- and ${lines.length - most} more: see the query \`status\``]
}

/** The newest first. */
function rejectionLines(rejections: readonly Rejection[]): string[] {
  const shown = rejections.slice(-maxRejections).toReversed()
  const earlier = rejections.length - shown.length
  return [
    ...shown.map(({ at, what }) => `- ${moment(at)}: ${escapeMarkdown(what)}`),
    ...(earlier > 0 ? [`- and ${earlier} earlier ones: see the query \`status\``] : []),
  ]
}
