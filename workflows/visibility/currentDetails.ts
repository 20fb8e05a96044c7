import { setCurrentDetails } from '@temporalio/workflow'
import { errorReference, isFinalState } from '#contract/terms'
import { findDeclaration, type LeftOver, type PlannedStage, type Rejection } from '#flows'
import { type FlowContext, type FlowProgress, type HeldShipment, listLeftOver } from '../context.ts'
import { escapeMarkdown, moment, row, stateName } from './markdown.ts'
import { publishSearchAttributes } from './searchAttributes.ts'

/** The newest rejections that are shown. */
const maxRejections = 5

const states = {
  booking: 'Booking.',
  waiting: 'Waiting.',
  overdue: 'Overdue.',
  cleaningUp: 'Cleaning up.',
} as const

const onTimeout = {
  remind: 'then it is overdue and the window starts again',
  cancel: 'then the flow ends as expired, and shipments without an item are cancelled',
  ask: 'then a person has to decide',
} as const

/** Shows the flow's progress: search attributes for lists, and current details in Markdown for the page of this run. */
export function publishVisibility(flow: FlowContext): void {
  updateCurrentDetails(flow)
  if (flow.progress !== undefined) publishSearchAttributes(flow)
}

/** Current details are no event of the history. */
export function updateCurrentDetails(flow: FlowContext): void {
  setCurrentDetails(toMarkdown(flow))
}

/** Every user of the Web UI sees this: no personal data, no access codes, and no text of the service. */
function toMarkdown(flow: FlowContext): string {
  const { name, input, progress } = flow
  const shipments = progress?.shipments ?? []
  return [
    `### Case ${escapeMarkdown(input?.caseNo)}`,
    findDeclaration(name)?.summary ?? escapeMarkdown(name),
    '',
    headline(flow),
    '',
    ...(progress === undefined ? [] : clock(flow, progress)),
    ...section('Shipments', shipmentLines(shipments)),
    ...section('Left over for a person', leftOverLines(listLeftOver(flow), shipments)),
    ...section('Rejected or failed', rejectionLines(progress?.rejections ?? [])),
  ].join('\n')
}

function headline(flow: FlowContext): string {
  const { state, booking, result, progress } = flow
  if (state !== 'ended') {
    const stage = findStage(flow)
    const count = progress?.plan.stages.length ?? 0
    const place =
      stage && `Stage ${stage.name}, ${(progress?.stage ?? 0) + 1} of ${count}: ${escapeMarkdown(stage.summary)}`
    return `**${states[state]}** ${place ?? ''}`
  }
  if (result !== undefined) return `**Ended: ${result.outcome}.**`
  const { type, message } = typeof booking === 'object' ? booking.failure : { type: null, message: '' }
  const code = type ?? 'InternalError'
  const reference = errorReference(code)
  // The escape cuts long messages, and the address comes last.
  const problem = escapeMarkdown(message.replace(reference, '').trimEnd())
  return `**Failed: ${escapeMarkdown(code)}.** ${problem} ${reference}`
}

const onLockerOutOfService = {
  remind: 'the flow waits on',
  cancel: 'the flow ends, and shipments without an item are cancelled',
  ask: 'a person has to decide',
} as const

function clock(flow: FlowContext, { since, deadline, outOfService }: FlowProgress): string[] {
  const stage = findStage(flow)
  const end = deadline === null ? '' : moment(deadline)
  const start = `- ${stage ? 'in this stage ' : ''}since ${moment(since)}`
  if (flow.state === 'booking' && end !== '') return [start, `- given up at ${end} without a response`]
  if (stage === undefined) return [start]
  if (flow.state !== 'overdue') {
    const policy = stage.onTimeout ? `, ${onTimeout[stage.onTimeout]}` : ''
    return [
      start,
      end === '' ? '- no deadline' : `- deadline ${end}${policy}`,
      `- if a locker goes out of service, ${onLockerOutOfService[stage.onLockerOutOfService ?? 'remind']}`,
    ]
  }
  if (outOfService?.asked && deadline === null) {
    return [start, '- a locker is out of service: update `decide` with extend, cancel or keepWaiting']
  }
  const next = end === '' ? 'update `decide` with extend, cancel or keepWaiting' : `started again, until ${end}`
  return [start, `- the window has passed: ${next}`]
}

/** The stage in which the flow waits. */
function findStage({ state, progress }: FlowContext): PlannedStage | undefined {
  return state === 'waiting' || state === 'overdue' ? progress?.plan.stages[progress.stage] : undefined
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? ['', `**${title}**`, '', ...lines] : []
}

/** The uids stand below the table, which is too narrow for them in the Web UI. */
function shipmentLines(shipments: readonly HeldShipment[]): string[] {
  if (shipments.length === 0) return []
  return [
    row('shipment', 'state', 'locker', 'since'),
    '|---|---|---|---|',
    ...shipments.map(held =>
      row(escapeMarkdown(held.role), stateName(held.stateCode), lockerName(held), moment(held.stateStart)),
    ),
    '',
    ...shipments.map(({ role, shipmentUid }) => `- ${escapeMarkdown(role)}: ${escapeMarkdown(shipmentUid)}`),
  ]
}

function lockerName({ lockerName, pupUid, lockerOutOfService, stateCode }: HeldShipment): string {
  const locker = lockerName === null ? 'unknown' : escapeMarkdown(lockerName)
  const place = pupUid === null ? locker : `${locker} at ${escapeMarkdown(pupUid)}`
  return lockerOutOfService && !isFinalState(stateCode) ? `${place}, **out of service**` : place
}

function leftOverLines(leftOver: readonly LeftOver[], shipments: readonly HeldShipment[]): string[] {
  return leftOver.map(({ shipmentUid, reason }) => {
    const role = shipments.find(held => held.shipmentUid === shipmentUid)?.role
    return `- ${escapeMarkdown(role ?? shipmentUid)}: ${escapeMarkdown(reason)}`
  })
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
