import { checkFields, type FlowDeclaration, findInputFields } from '#flows'
import { refused } from './refusals.ts'
import type { Refused } from './results.ts'

/**
 * The refusal of a start whose worker, with the same declaration, would refuse it in the same words (D-373). A request of
 * an operation is left to the worker: the schemas of the operations are larger than this client.
 */
export function findInvalidInput(
  declaration: FlowDeclaration | undefined,
  { caseNo, request }: { readonly caseNo: unknown; readonly request: unknown },
): Refused | undefined {
  // The worker checks the rest. Temporal has no text with half a character.
  if (typeof caseNo !== 'string' || !caseNo.isWellFormed())
    return refused('InvalidFlowInput', 'caseNo must be a text of 1 to 60 characters.')
  const fields = declaration && findInputFields(declaration)
  if (fields === undefined || typeof request !== 'object' || request === null || Array.isArray(request))
    return undefined
  // As the worker receives it: a date is a text.
  const faults = checkFields(fields, JSON.parse(JSON.stringify(request)), 'request')
  return faults.length > 0 ? refused('InvalidFlowInput', faults.join(' ')) : undefined
}

/** Bytes of an update as JSON. Temporal terminates a flow that gets one of more than two megabytes. */
const largestUpdate = 256 * 1_024

/** The refusal of an update that is too large. The data converter names a value that is not JSON. */
export function findLargeUpdate(argument: unknown): Refused | undefined {
  let bytes = 0
  try {
    bytes = Buffer.byteLength(JSON.stringify(argument))
  } catch {}
  return bytes > largestUpdate
    ? refused('InvalidFlowInput', `The update must have at most ${largestUpdate} bytes, got ${bytes}.`)
    : undefined
}
