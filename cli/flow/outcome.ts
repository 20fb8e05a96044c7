import type {
  Answered,
  Booked,
  BookingPending,
  Cancelled,
  CancelPending,
  CaseFinished,
  CaseInUse,
  Decided,
  Ended,
  EndPending,
  FlowResult,
  FlowShipment,
  Interrupted,
  Listed,
  Refused,
  Started,
  Status,
  UnknownCase,
} from '#client'
import { CommandFailure, type ExitReason, exitCodes, ReportedFailure } from '../command/failure.ts'
import type { Output } from '../command/output.ts'
import { formatShipment, leftOverLine, plain } from './text.ts'

/** Every result of the flow client. */
export type FlowAnswer =
  | (Started | Booked | CaseFinished | Ended | Status | Listed | Decided | Answered | Cancelled)
  | (BookingPending | EndPending | CancelPending)
  | (CaseInUse | Refused | UnknownCase | Interrupted)

/** The end of a verb by the kind of its result. A flow that ended otherwise than completed counts as failed. */
export const exitReasons = {
  Started: 'done',
  Booked: 'done',
  CaseFinished: 'done',
  Ended: 'done',
  Status: 'done',
  Listed: 'done',
  Decided: 'done',
  Answered: 'done',
  Cancelled: 'done',
  BookingPending: 'pending',
  EndPending: 'pending',
  CancelPending: 'pending',
  CaseInUse: 'failed',
  Refused: 'failed',
  UnknownCase: 'failed',
  Interrupted: 'notReachable',
} as const satisfies Record<FlowAnswer['kind'], ExitReason>

/** Refusals of the client that name a wrong option. */
const misuses: readonly string[] = ['InvalidFilter', 'InvalidCursor']

/**
 * The failure of a result that is not a success.
 * @param remedy by default that of the code
 */
export function failureOf(answer: Extract<FlowAnswer, { readonly code: string }>, remedy?: string): CommandFailure {
  const { kind, code, message } = answer
  const exitCode = exitCodes[misuses.includes(code) ? 'misused' : exitReasons[kind]]
  const { serviceRequestId: requestId, leftOver = [] } = kind === 'Refused' ? answer : {}
  return new CommandFailure(code, [message, ...leftOverLines({ leftOver })], { exitCode, remedy, requestId })
}

/** The failure of a flow that did not complete, whose result is printed. */
export function notCompleted({ caseNo, outcome }: Pick<FlowResult, 'caseNo' | 'outcome'>): ReportedFailure {
  return new ReportedFailure(`${caseNo} ended as ${outcome}.`, `Read why: lockerflow flow status ${caseNo}`)
}

/**
 * Prints a result.
 * @throws CommandFailure for a result that is not a success, or for a flow that did not complete
 */
export function finish(output: Output, answer: FlowAnswer): void {
  const reason = exitReasons[answer.kind]
  if (reason !== 'done' && 'code' in answer) {
    const isPending = 'caseNo' in answer && reason === 'pending' && answer.code !== 'FlowPaused'
    throw failureOf(answer, isPending ? `The flow continues: lockerflow flow wait ${answer.caseNo}` : undefined)
  }
  output.result(answer, () => linesOf(answer))
  if ('result' in answer && answer.result.outcome !== 'completed') throw notCompleted(answer.result)
}

/** A result for people. */
export function linesOf(answer: FlowAnswer): string[] {
  switch (answer.kind) {
    case 'Started':
      return [`${answer.caseNo} ${answer.isNew ? 'started' : 'is running already'} (run ${answer.runId})`]
    case 'Booked':
      if (answer.shipments.length === 0) return [`${answer.caseNo} has no booking`]
      return [`${answer.caseNo} booked`, ...shipmentLines(answer.shipments)]
    case 'Ended':
    case 'CaseFinished':
      return resultLines(answer.result as FlowResult)
    case 'Decided': {
      const { caseNo, state, step, deadline } = answer.status
      return [`${caseNo} ${state}${step ? ` in ${step}` : ''}${deadline ? ` until ${deadline}` : ''}`]
    }
    case 'Answered':
      return [
        `${answer.step} answered: ${answer.answer}${answer.by ? ` by ${plain(answer.by)}` : ''} at ${answer.answeredAt}`,
      ]
    case 'Cancelled':
      return [`ended as ${answer.outcome}`, ...leftOverLines(answer)]
    default:
      return 'message' in answer ? [answer.message] : []
  }
}

function resultLines(result: FlowResult): string[] {
  const { flow, caseNo, outcome, shipments, leftOver, ...outputs } = result
  return [
    `${caseNo} ended as ${outcome} (${flow})`,
    ...shipmentLines(shipments),
    ...leftOverLines({ leftOver }),
    ...Object.entries(outputs).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`),
  ]
}

function shipmentLines(shipments: readonly FlowShipment[]): string[] {
  return shipments.map(shipment => `  ${formatShipment(shipment)}`)
}

function leftOverLines({ leftOver }: Pick<FlowResult, 'leftOver'>): string[] {
  return leftOver.map(left => `  left over: ${leftOverLine(left)}`)
}
