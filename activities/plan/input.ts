import { z } from 'zod'
import { describeIssue, isTooDeep, maxLevels } from '#contract'
import { isRecord } from '#contract/terms'
import {
  type FlowPlan,
  isCaseNo,
  type Json,
  jsonBytes,
  mustBeCaseNo,
  mustBeDuration,
  type PlanFlowInput,
  parseDuration,
  sentLimit,
  toWorkflowId,
} from '#flows'
import { nonRetryable } from '../failures.ts'

/**
 * The bytes of the request of a flow, and of its plan, which has what the steps send. A run that continues as new passes on
 * both, in addition to the outputs, and Temporal would terminate a larger flow then, with its lockers booked.
 */
export const inputLimits = { request: 256 * 1_024, plan: 1_024 * 1_024 } as const

/** Milliseconds. */
export const maxBookingWindow = 12 * 3_600_000

export const duration = z.string().refine(text => parseDuration(text) !== undefined, mustBeDuration)

const flowInput = z.object({
  caseNo: z.string().refine(isCaseNo, mustBeCaseNo),
  request: z.record(z.string(), z.unknown()),
  windows: z.record(z.string(), duration.nullish()).nullish(),
  declaration: z.string().nullish(),
  adopt: z.boolean().nullish(),
})

/** The fields that callers give. */
const ownFields = ['caseNo', 'request', 'windows'] as const satisfies (keyof z.output<typeof flowInput>)[]

/** Unknown fields that a failure names, and characters of each. */
const [maxNamed, maxName] = [5, 100]

export type ReadFlowInput = z.output<typeof flowInput>

/** Checks the input of a flow here, so that starters in every language get the same errors. Fails with InvalidFlowInput. */
export function readInput({ input, workflowId }: PlanFlowInput): ReadFlowInput {
  if (!isRecord(input))
    throw nonRetryable('InvalidFlowInput', 'input: must be an object with caseNo and request, in JSON.')
  const parsed = flowInput.safeParse(input)
  const issues = parsed.error?.issues.map(issue => describeIssue(issue, input)) ?? []
  const faults = [...unknownFields(input), ...issues]
  if (!parsed.success || faults.length > 0) throw nonRetryable('InvalidFlowInput', faults.join('; '))
  rejectLargeRequest(parsed.data.request as Json)
  const expected = toWorkflowId(parsed.data.caseNo)
  // The gateway finds the flow of a callback by its case number only.
  if (workflowId !== expected) throw nonRetryable('InvalidFlowInput', `caseNo: the workflow id must be ${expected}.`)
  return parsed.data
}

/**
 * Misspelled windows would leave those of the declaration. Many clients send null for an unset field, and a sweep starts a
 * flow again with the input of an earlier version.
 */
function unknownFields(input: Readonly<Record<string, unknown>>): string[] {
  if (input.adopt === true) return []
  const unknown = Object.keys(input).filter(name => !Object.hasOwn(flowInput.shape, name) && input[name] !== null)
  if (unknown.length === 0) return []
  // Temporal cannot store a lone surrogate.
  const names = unknown.slice(0, maxNamed).map(name => name.slice(0, maxName).toWellFormed())
  return [`${names.join(', ')}: must not be given: an input has ${ownFields.join(', ')}`]
}

/** Fails with InvalidFlowInput. */
function rejectLargeRequest(request: Json): void {
  if (isTooDeep(request))
    throw nonRetryable('InvalidFlowInput', `request: must have at most ${maxLevels} levels of lists and objects.`)
  reject(jsonBytes(request), inputLimits.request, '')
}

/** Fails with InvalidFlowInput. */
export function rejectLargePlan(plan: FlowPlan): void {
  reject(jsonBytes(plan as unknown as Json), inputLimits.plan, ' in all its places in the plan of the flow')
}

/**
 * Rejects what a step sends, if the input alone decides it: before anything is booked. Fails with InvalidFlowInput.
 * @param sent a value in which the request can occur several times
 */
export function rejectLargeStep(name: string, sent: Json): void {
  reject(jsonBytes(sent), sentLimit, ` in all its places in step ${name}`)
}

/** Rejects outputs that copy the request, since Temporal would terminate the flow at its end. Fails with InvalidFlowInput. */
export function rejectLargeOutputs(outputs: Json): void {
  reject(jsonBytes(outputs), sentLimit, ' in all its places in the outputs of the flow')
}

function reject(bytes: number, limit: number, where: string): void {
  if (bytes <= limit) return
  throw nonRetryable('InvalidFlowInput', `request: must have at most ${limit} bytes${where}, got ${bytes}.`)
}
