import type { FlowStatus } from '#client'
import type { FlowFailure, FlowPicture, PictureStep } from '#flows'
import { describeCause, hasFailed } from '#flows/pictureOfRun'
import type { Output } from '../command/output.ts'
import { commonOptions } from '../command/program.ts'
import type { VerbCall } from '../command/verb.ts'
import { type ReceivedCallback, readCallbacks } from './callbacks.ts'
import { finish } from './outcome.ts'
import { withFlows } from './session.ts'
import { distance, formatShipment, moment, plain, table } from './text.ts'
import { findUnpolled, type UnpolledActivity } from './unpolled.ts'
import { linkToCase } from './webUi.ts'

/** Callbacks that are shown. */
const mostCallbacks = 5

/** `lockerflow flow status`. */
export async function run(call: VerbCall): Promise<void> {
  const { output, environment, values } = call
  const [caseNo = ''] = values
  await withFlows(call, async session => {
    const answer = await session.flows.status(caseNo, { picture: true })
    if (answer.kind !== 'Status') return finish(output, answer)
    const callbacks = await readCallbacks(session.client, caseNo, mostCallbacks)
    const link = linkToCase(session, environment, caseNo) ?? null
    const unpolled = answer.status.state === 'ended' ? [] : await findUnpolled(session.client, caseNo)
    const shown = { ...answer.status, callbacks, unpolled, link }
    output.result(shown, () => statusLines(shown, Date.now(), output.style))
  })
}

function codeOf({ code, serviceRequestId }: FlowFailure): string {
  return `(${code}${serviceRequestId === undefined ? '' : `, request id ${serviceRequestId}`})`
}

interface ShownStatus extends FlowStatus {
  readonly callbacks: readonly ReceivedCallback[]
  readonly unpolled: readonly UnpolledActivity[]
  readonly link: string | null
}

/**
 * A status for people: the steps with the current one, and what the flow waits for.
 * @param now milliseconds since 1970
 */
function statusLines(status: ShownStatus, now: number, style: Output['style'] = (_, text) => text): string[] {
  const { flow, caseNo, state, picture, shipments, callbacks, rejections, result, link, deadline, failure, unpolled } =
    status
  const outcome = state === 'ended' ? (result?.outcome ?? picture?.outcome) : undefined
  const title = `${plain(caseNo)}  ${plain(flow)}  ${failure ? 'failed' : outcome ? `ended as ${outcome}` : state}`
  return [
    style(status.overdue || failure ? 'red' : 'bold', title),
    ...(picture ? [plain(picture.summary), '', ...pictureLines(picture, style)] : []),
    ...section('Failure', failure ? [plain(failure.message), codeOf(failure)] : []),
    ...section('Waits for', [...waitLines(status), ...unpolled.map(unpolledLine)]),
    ...section('Deadline', deadline === null ? [] : [`${moment(deadline)} (${distance(deadline, now)})`]),
    ...section('Shipments', shipments.map(formatShipment)),
    ...section(
      'Left over',
      ((result ?? failure)?.leftOver ?? []).map(({ step, shipmentUid, reason }) =>
        plain(`${shipmentUid ?? step}: ${reason}`),
      ),
    ),
    ...section(
      'Last callbacks',
      callbacks.map(each => callbackLine(each, status)),
    ),
    ...section(
      'Rejected',
      rejections.slice(-mostCallbacks).map(({ at, what }) => `${moment(at)}  ${plain(what)}`),
    ),
    ...section('Web UI', link === null ? [] : [link]),
  ]
}

const marks = { done: '✓', failed: '✗', current: '▶', ahead: '○', leftOut: '–' } as const satisfies Record<
  PictureStep['state'] | 'failed',
  string
>

function pictureLines(picture: FlowPicture, style: Output['style']): string[] {
  const { steps, overdue } = picture
  const states = steps.map(step => (hasFailed(picture, step) ? 'failed' : step.state))
  const rows = steps.map((step, index) => [
    marks[states[index] ?? step.state],
    plain(step.name),
    plain(step.summary),
    timesOf(picture, step),
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

/** A flag with one of these names is no field. */
const optionNames = ['by', 'set', 'timeout', 'help', ...commonOptions.map(({ flags }) => /^--(\w+)/.exec(flags)?.[1])]

/** The event that the flow waits for, with the command of a person's decision or answer. */
function waitLines({ state, caseNo, overdue, asks, step, picture }: FlowStatus): string[] {
  if (state === 'ended') return []
  if (state === 'booking') return ['the booking of its lockers']
  if (state === 'cleaningUp') return ['the end of its clean-up']
  const named = /^[\w.-]+$/.test(caseNo) ? caseNo : `'${caseNo.replaceAll("'", "'\\''")}'`
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

function unpolledLine({ activity, taskQueue }: UnpolledActivity): string {
  return plain(`a worker: no worker polls the task queue ${taskQueue} for the activity ${activity}`)
}

function callbackLine({ receivedAt, shipmentUid, stateCode }: ReceivedCallback, { shipments }: FlowStatus): string {
  const role = shipments.find(each => each.shipmentUid === shipmentUid)?.role ?? shipmentUid
  return `${moment(receivedAt)}  ${plain(role)}  ${plain(stateCode)}`
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map(line => `  ${line}`)]
}
