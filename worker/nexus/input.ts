import { HandlerError } from 'nexus-rpc'
import type { InputOf } from '#client'
import { type CancelUpdate, type Decision, findCancelFault, isCaseNo, mustBeCaseNo } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { toFailure } from './failures.ts'

/** The checked input of `start` and `book`. The flow checks the rest: its request and its windows. */
export interface CheckedStart {
  readonly flow: string
  readonly input: InputOf
}

const startFields: readonly string[] = ['flow', 'caseNo', 'request', 'windows']

/** Fields of a flow's input that only clients and sweeps of the project set. The handlers ignore them. */
const internalFields: readonly string[] = ['adopt', 'declaration']

type Fields = Readonly<Record<string, unknown>>

/** @throws HandlerError with InvalidFlowInput or UnknownFlow */
export function checkStart(declared: Readonly<Record<string, FlowDeclaration>>, given: unknown): CheckedStart {
  const fields = toFields(given)
  const { flow, request, windows } = fields
  const unknown = Object.keys(fields).find(
    name => fields[name] !== null && ![...startFields, ...internalFields].includes(name),
  )
  if (unknown !== undefined)
    throw invalid(
      `${unknown.slice(0, 100).toWellFormed()}: must not be given: the input has ${startFields.join(', ')}.`,
    )
  const caseNo = checkCaseNo(given)
  if (typeof flow !== 'string' || !Object.hasOwn(declared, flow)) {
    const names = Object.keys(declared).join(', ')
    const message = `flow: must be the name of a flow that the worker has: ${names}.`
    throw new HandlerError('NOT_FOUND', message, { cause: toFailure('UnknownFlow', message) })
  }
  if (!isFields(request)) throw invalid('request: must be an object with the fields of the request.')
  if (windows !== undefined && windows !== null && !isFields(windows))
    throw invalid('windows: must be an object of durations by step, or missing.')
  return { flow, input: { caseNo, request, ...(windows && { windows }) } as InputOf }
}

/** @throws HandlerError with InvalidFlowInput */
export function checkCaseNo(given: unknown): string {
  const { caseNo } = toFields(given)
  if (isCaseNo(caseNo)) return caseNo
  throw invalid(`caseNo: ${mustBeCaseNo}.`)
}

/** @throws HandlerError with InvalidFlowInput */
export function checkReason(given: unknown): string | undefined {
  const { caseNo: _, ...argument } = toFields(given)
  const fault = findCancelFault(argument)
  if (fault !== undefined) throw invalid(fault)
  return (argument as CancelUpdate).reason ?? undefined
}

/** The flow checks the fields of a decision. @throws HandlerError with InvalidFlowInput */
export function checkDecision(given: unknown): Decision {
  const { decision } = toFields(given)
  if (isFields(decision)) return decision as unknown as Decision
  throw invalid('decision: must be an object with the field decision: extend, cancel or keepWaiting.')
}

function toFields(given: unknown): Fields {
  if (isFields(given)) return given
  throw invalid('The input of the operation must be an object.')
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(message: string): HandlerError {
  return new HandlerError('BAD_REQUEST', message, { cause: toFailure('InvalidFlowInput', message) })
}
