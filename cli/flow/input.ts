import { isOperationName, type Operation, operations, readRequest, requestSchema } from '#contract'
import { isRecord } from '#contract/terms'
import {
  allSteps,
  checkFields,
  type FlowInput,
  findInputFields,
  findInputStep,
  findWindowed,
  isCaseNo,
  mustBeCaseNo,
  parseDuration,
} from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { misuse } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'
import { assignFields, type GivenField, readFlags } from '../fields/assign.ts'
import { readDocument } from '../fields/document.ts'
import { anyShape, type Shape, shapeOfFields, shapeOfSchema } from '../fields/shape.ts'

/**
 * The input of a flow from `--case`, `--request`, `--set`, `--window` and the flags of fields. Later ones win.
 * @param words the flags of fields
 * @throws CommandFailure that names the option or the field
 */
export async function readInput(
  flow: FlowDeclaration | undefined,
  words: readonly string[],
  options: VerbCall['options'],
): Promise<FlowInput> {
  const caseNo = requireCaseNo(options.case)
  const { request: file, set = [], window = [] } = options as { request?: string; set?: string[]; window?: string[] }
  const document = file === undefined ? {} : await readDocument('--request', file)
  const shape = flow === undefined ? anyShape : requestShape(flow)
  const given = [
    ...set.map(text => readSetting(text.replace(/^request\./, ''), 'request.PupUid=pup-1')),
    ...readFlags(words),
  ]
  const windows = Object.fromEntries(window.map(text => readWindow(text, flow)))
  const request = assignFields(document, shape, given, flow !== undefined)
  if (flow !== undefined) checkRequest(flow, caseNo, request)
  return {
    caseNo,
    request,
    ...(window.length > 0 && { windows: windows as NonNullable<FlowInput['windows']> }),
  }
}

/** @throws CommandFailure for a text that is not a case number */
function requireCaseNo(given: unknown): string {
  if (isCaseNo(given)) return given
  throw misuse(`--case: ${mustBeCaseNo}, got "${given}".`)
}

/** The flow would fail at its plan, after a start that succeeds. @throws CommandFailure that names every invalid field */
function checkRequest(flow: FlowDeclaration, caseNo: string, request: Record<string, unknown>): void {
  const fields = findInputFields(flow)
  const faults = fields === undefined ? [] : checkFields(fields, request, 'request')
  if (faults.length > 0) throw misuse(faults.join(' '))
  const step = findInputStep(flow)
  const name = step && ('book' in step ? step.book : step.call)
  if (name === undefined || !isOperationName(name)) return
  const operation: Operation = operations[name]
  const read = readRequest(operation, request)
  if (!read.ok) throw misuse(`request: ${read.message}`)
  checkCaseNo(read.request, caseNo, 'request')
}

/** The operations have the case number in their request or in an object of it. @throws CommandFailure for another one */
function checkCaseNo(request: object, caseNo: string, path: string): void {
  for (const [name, value] of Object.entries(request)) {
    if (isRecord(value)) checkCaseNo(value, caseNo, `${path}.${name}`)
    if (name === 'ReferenceCaseNo' && (value ?? caseNo) !== caseNo)
      throw misuse(`${path}.${name}: must be the case number ${caseNo}, or missing, got "${value}".`)
  }
}

/** The fields of a flow's request: those that it declares, or those of its first operation. */
export function requestShape({ input, steps }: FlowDeclaration): Shape {
  if (input !== undefined) return shapeOfFields(input)
  const operation = allSteps(steps)
    .flatMap(step => ('book' in step ? [step.book] : 'call' in step ? [step.call] : []))
    .at(0)
  return operation !== undefined && isOperationName(operation) ? shapeOfSchema(requestSchema(operation)) : anyShape
}

/**
 * A value of `--set`: a field and its value, as in `PupUid=pup-1`.
 * @throws CommandFailure that names the example
 */
export function readSetting(text: string, example: string): GivenField {
  const [, path, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (path === undefined) throw misuse(`--set: must be a field and its value, such as ${example}, got "${text}".`)
  return { path, text: value }
}

/** A step that the flow does not have, or that has no window, would fail it after its start. */
function readWindow(text: string, flow: FlowDeclaration | undefined): [string, string] {
  const [, step, length] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (step === undefined || length === undefined || parseDuration(length) === undefined)
    throw misuse(`--window: must be a step and a duration, such as pickUp=48h, got "${text}".`)
  const names = flow === undefined ? [step] : findWindowed(allSteps(flow.steps))
  if (names.includes(step)) return [step, length]
  throw misuse(`--window: must name a step of ${flow?.name} with a window (${names.join(', ')}), got "${step}".`)
}
