import type { FlowStatus } from '#client'
import { flowErrors } from '#contract/terms'
import type { FlowFailure } from '#flows'
import type { Output } from '../command/output.ts'
import { commonOptions } from '../command/program.ts'
import type { VerbCall } from '../command/verb.ts'
import { type ReceivedCallback, readCallbacks } from './callbacks.ts'
import { describe, endFromOutside } from './ends.ts'
import { type FailingActivity, findFailing } from './failing.ts'
import { findLaterStart, startLines } from './laterStart.ts'
import { finish } from './outcome.ts'
import { withFlows } from './session.ts'
import { pictureLines } from './stepLines.ts'
import { distance, formatShipment, leftOverLine, moment, plain } from './text.ts'
import { timeOf } from './time.ts'
import { findUnpolled, type UnpolledActivity } from './unpolled.ts'
import { linkToCase } from './webUi.ts'

/** Callbacks that are shown. */
const maxCallbacks = 5

/** `lockerflow flow status`. */
export async function run(call: VerbCall): Promise<void> {
  const { output, environment, values } = call
  const [caseNo = ''] = values
  await withFlows(call, async session => {
    const link = linkToCase(session, environment, caseNo) ?? null
    const run = caseNo.isWellFormed() ? await describe(session.client, caseNo) : undefined
    // Temporal answers no query of a flow that has not begun.
    const later = run && findLaterStart(caseNo, run, link)
    if (later !== undefined) return output.result(later, () => startLines(later, Date.now()))
    const answer = await session.flows.status(caseNo, { picture: true })
    if (answer.kind !== 'Status') return finish(output, answer)
    const callbacks = await readCallbacks(session.client, caseNo, maxCallbacks)
    const hasEnded = answer.status.state === 'ended'
    const endedFromOutside = hasEnded || run === undefined ? null : endFromOutside(run)
    const unpolled = hasEnded || run === undefined ? [] : await findUnpolled(session.client, run)
    const failing = hasEnded || run === undefined ? [] : await findFailing(session.client, run)
    const shown = { ...answer.status, endedFromOutside, callbacks, unpolled, failing, link }
    const now = await timeOf(session)
    output.result(shown, () => statusLines(shown, now, output.style))
  })
}

function describeCode({ code, serviceRequestId }: FlowFailure): string {
  return `(${code}${serviceRequestId === undefined ? '' : `, request id ${serviceRequestId}`})`
}

interface ShownStatus extends FlowStatus {
  readonly endedFromOutside: string | null
  readonly callbacks: readonly ReceivedCallback[]
  readonly unpolled: readonly UnpolledActivity[]
  readonly failing: readonly FailingActivity[]
  readonly link: string | null
}

/**
 * A status for people: the steps with the current one, and what the flow waits for.
 * @param now milliseconds since 1970
 */
function statusLines(status: ShownStatus, now: number, style: Output['style'] = (_, text) => text): string[] {
  const { flow, caseNo, picture, shipments, callbacks, rejections, result, link, failure, endedFromOutside } = status
  const title = `${plain(caseNo)}  ${plain(flow)}  ${stateOf(status)}`
  return [
    style(status.overdue || failure || endedFromOutside ? 'red' : 'bold', title),
    ...(picture ? [plain(picture.summary), '', ...pictureLines(picture, status, style)] : []),
    ...section('Failure', failure ? [plain(failure.message), describeCode(failure)] : []),
    ...(endedFromOutside ? section('Failure', terminatedLines(caseNo)) : openLines(status, now)),
    ...section('Shipments', shipments.map(formatShipment)),
    ...section('Left over', ((result ?? failure)?.leftOver ?? []).map(leftOverLine)),
    ...section(
      'Last callbacks',
      callbacks.map(each => callbackLine(each, status)),
    ),
    ...section(
      'Rejected',
      rejections.slice(-maxCallbacks).map(({ at, what }) => `${moment(at)}  ${plain(what)}`),
    ),
    ...section('Web UI', link === null ? [] : [link]),
  ]
}

function stateOf({ state, picture, result, failure, endedFromOutside }: ShownStatus): string {
  if (failure) return 'failed'
  const outcome = state === 'ended' ? (result?.outcome ?? picture?.outcome) : undefined
  return outcome ? `ended as ${outcome}` : (endedFromOutside ?? state)
}

function terminatedLines(caseNo: string): string[] {
  return [flowErrors.FlowTerminated.meaning, '(FlowTerminated)', `lockerflow sweep --case ${quoted(caseNo)}`]
}

function openLines(status: ShownStatus, now: number): string[] {
  const { deadline, overdue, unpolled, failing } = status
  return [
    ...section('Waits for', [...waitLines(status), ...unpolled.map(unpolledLine), ...failing.map(failingLine)]),
    ...section(
      overdue ? 'Next reminder' : 'Deadline',
      deadline === null ? [] : [`${moment(deadline)} (${distance(deadline, now)})`],
    ),
  ]
}

/** Flags with these names are options, not fields of an answer. */
const optionNames = ['by', 'set', 'timeout', 'help', ...commonOptions.map(({ flags }) => /^--(\w+)/.exec(flags)?.[1])]

/** The event that the flow waits for, with the command of a person's decision or answer. */
function waitLines({ state, caseNo, overdue, asks, step, picture }: FlowStatus): string[] {
  if (state === 'ended') return []
  if (state === 'booking') return ['the booking of its lockers']
  if (state === 'cleaningUp') return ['the end of its clean-up']
  const named = quoted(caseNo)
  if (asks !== null) {
    const answers = Object.entries(asks.answers).map(([answer, fields]) => {
      const flags = Object.keys(fields).map(field =>
        optionNames.includes(field) ? ` --set ${field}=…` : ` --${field} …`,
      )
      return `  lockerflow flow answer ${named} ${asks.step} ${answer}${flags.join('')}`
    })
    return [`an answer of ${asks.who}:`, ...answers].map(line => line.replaceAll(/\p{Cc}/gu, ''))
  }
  if (overdue)
    return [
      'a decision:',
      `  lockerflow flow decide ${named} --by 24h`,
      `  lockerflow flow decide ${named} --decision cancel`,
    ]
  const summary = picture?.steps.find(each => each.state === 'current')?.summary
  return [plain(`${step ?? ''}${summary ? `: ${summary}` : ''}`)]
}

/** A case number as a word of a shell. */
function quoted(caseNo: string): string {
  return /^[\w.-]+$/.test(caseNo) ? caseNo : `'${caseNo.replaceAll("'", "'\\''")}'`
}

function unpolledLine({ activity, taskQueue }: UnpolledActivity): string {
  return plain(`a worker: no worker polls the task queue ${taskQueue} for the activity ${activity}`)
}

function failingLine({ activity, attempts, message }: FailingActivity): string {
  return plain(`a successful attempt of ${activity}: ${attempts} failed, the last with: ${message}`)
}

function callbackLine({ receivedAt, shipmentUid, stateCode }: ReceivedCallback, { shipments }: FlowStatus): string {
  const role = shipments.find(each => each.shipmentUid === shipmentUid)?.role ?? shipmentUid
  return `${moment(receivedAt)}  ${plain(role)}  ${plain(stateCode)}`
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map(line => `  ${line}`)]
}
