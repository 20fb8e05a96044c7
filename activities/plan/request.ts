import { normalizeKeys, operations, readRequest } from '#contract'
import { isRecord } from '#contract/terms'
import { isMerge, isQuoted, isReference, type Source } from '#flows'
import { nonRetryable } from '../failures.ts'

type AnyOperation = (typeof operations)[keyof typeof operations]

type CreateOperation = Pick<AnyOperation, 'request' | 'missingFieldErrors'>

const caseField = 'ReferenceCaseNo'

/** Gives a shipment to another case. Callbacks find the flow by the case number of the shipment. */
const newCaseField = 'caseReferenceNew'

/** @throws Error for an operation that a declaration names and the contract does not have */
export function requireOperation(operation: string): AnyOperation {
  const found = Object.values(operations).find(candidate => candidate.name === operation)
  if (found === undefined) throw new Error(`operation ${operation} is not in the contract`)
  return found
}

/** A request with its keys in the casing of the contract, without checking its values. */
export function inCasing(operation: string, request: unknown): Record<string, unknown> {
  return asRecord(normalizeKeys(requireOperation(operation).request, request, () => {}))
}

/** The source of a request with the fields that it names in the casing of the contract. */
export function sourceInCasing(operation: string, source: Source): Source {
  if (!isRecord(source) || isReference(source) || isQuoted(source)) return source
  if (isMerge(source)) return { merge: source.merge.map(part => sourceInCasing(operation, part)) }
  return { ...inCasing(operation, source) } as Source
}

/** The request of a call. An operation that replaces the case number of a shipment gets the flow's by default. */
export function toCallRequest(
  operation: CreateOperation,
  request: Record<string, unknown>,
  caseNo: string,
): Record<string, unknown> {
  const isGiven = Object.keys(request).some(key => key.toLowerCase() === caseField.toLowerCase())
  const isAdded = caseField in operation.request.shape && !isGiven
  return toRequest(operation, isAdded ? { ...request, [caseField]: caseNo } : request, caseNo)
}

/**
 * The request as it is sent: checked by the operation's schema, in its casing, with the case number in every
 * ReferenceCaseNo of the operation. Rejects a ReferenceCaseNo or caseReferenceNew that is not the case number.
 */
export function toRequest(
  operation: CreateOperation,
  request: Record<string, unknown>,
  caseNo: string,
): Record<string, unknown> {
  const read = readRequest(operation, request)
  if (!read.ok) throw nonRetryable('InvalidFlowInput', `request: ${read.message}`)
  const filled: Record<string, unknown> = { ...read.request }
  if (newCaseField in operation.request.shape) requireCaseNo(filled[newCaseField], newCaseField, caseNo)
  for (const place of caseNoHolders(operation)) {
    const holder = place === undefined ? filled : { ...asRecord(filled[place]) }
    requireCaseNo(holder[caseField], place === undefined ? caseField : `${place}.${caseField}`, caseNo)
    holder[caseField] = caseNo
    if (place !== undefined) filled[place] = holder
  }
  return filled
}

function requireCaseNo(value: unknown, path: string, caseNo: string): void {
  if (value === undefined || value === null || value === caseNo) return
  throw nonRetryable('InvalidFlowInput', `request.${path}: must be the case number ${caseNo}, or missing.`)
}

/** The members of a request that have a ReferenceCaseNo. Undefined stands for the request itself. */
function caseNoHolders({ request }: CreateOperation): (string | undefined)[] {
  const shape: Record<string, unknown> = request.shape
  const nested = Object.keys(shape).filter(key => caseField in shapeBelow(shape[key]))
  return caseField in shape ? [undefined, ...nested] : nested
}

/** The members of an object schema inside `optional` and `nullable`; empty for other schemas. */
function shapeBelow(schema: unknown): Record<string, unknown> {
  if (!isRecord(schema)) return {}
  if (isRecord(schema.shape)) return schema.shape
  return typeof schema.unwrap === 'function' ? shapeBelow(schema.unwrap()) : {}
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}
