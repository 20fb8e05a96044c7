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
  // A caller in JavaScript can leave it out.
  if (typeof caseNo !== 'string') return refused('InvalidFlowInput', 'caseNo must be a text of 1 to 60 characters.')
  const fields = declaration && findInputFields(declaration)
  // The worker checks the form of the whole input first.
  if (fields === undefined || typeof request !== 'object' || request === null || Array.isArray(request))
    return undefined
  // The worker receives JSON, in which a date is a text and an undefined field is absent.
  const faults = checkFields(fields, JSON.parse(JSON.stringify(request)), 'request')
  return faults.length > 0 ? refused('InvalidFlowInput', faults.join(' ')) : undefined
}
