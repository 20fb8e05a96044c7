import { isRecord } from '#contract/terms'
import { checkFields, type FlowDeclaration, findInputFields, isCaseNo, mustBeCaseNo } from '#flows'
import { refused } from './refusals.ts'
import type { Refused } from './results.ts'

/**
 * The refusal of a start whose worker, with the same declaration, would refuse it in the same words. A request of
 * an operation is left to the worker: the schemas of the operations are larger than this client.
 */
export function findInvalidInput(
  declaration: FlowDeclaration | undefined,
  input: { readonly caseNo: unknown; readonly request: unknown },
): Refused | undefined {
  const { caseNo, request } = input
  for (const [field, value] of Object.entries(input)) {
    const large = findLarge(`${field}:`, value)
    if (large !== undefined) return large
  }
  if (!isCaseNo(caseNo)) return refused('InvalidFlowInput', `caseNo: ${mustBeCaseNo}.`)
  const fields = declaration && findInputFields(declaration)
  // As the worker receives it: a date is a text.
  const json = toJson(request)
  if (fields === undefined || json === undefined || !isRecord(request)) return undefined
  const faults = checkFields(fields, JSON.parse(json), 'request')
  return faults.length > 0 ? refused('InvalidFlowInput', faults.join(' ')) : undefined
}

/** Bytes as JSON. Temporal terminates a flow at an update of over two megabytes, and answers no call of over four. */
const limit = 256 * 1_024

/** The refusal of a value that is too large. @param name begins the sentence */
export function findLarge(name: string, value: unknown): Refused | undefined {
  const bytes = Buffer.byteLength(toJson(value) ?? '')
  return bytes > limit
    ? refused('InvalidFlowInput', `${name} must have at most ${limit} bytes, got ${bytes}.`)
    : undefined
}

/** Undefined for a value that is not JSON. The data converter then names it. */
function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
