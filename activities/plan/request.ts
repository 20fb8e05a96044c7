import { type operations, readRequest } from '#contract'
import { finalFailure } from '../failures.ts'

type CreateOperation = Pick<(typeof operations)[keyof typeof operations], 'request' | 'absent'>

const caseField = 'ReferenceCaseNo'

/**
 * The request as it is sent: checked by the operation's own schema, in its casing, with the case number in every
 * ReferenceCaseNo that the operation has. A caller's own ReferenceCaseNo has to be the case number.
 */
export function requestOf(
  operation: CreateOperation,
  request: Record<string, unknown>,
  caseNo: string,
): Record<string, unknown> {
  const read = readRequest(operation, request)
  if (!read.ok) throw finalFailure('InvalidFlowInput', `request: ${read.message}`)
  const filled: Record<string, unknown> = { ...read.request }
  for (const place of placesOfCaseNo(operation)) {
    const holder = place === undefined ? filled : { ...asRecord(filled[place]) }
    const given = holder[caseField]
    if (given !== undefined && given !== null && given !== caseNo) {
      const path = place === undefined ? caseField : `${place}.${caseField}`
      throw finalFailure('InvalidFlowInput', `request.${path}: has to be the case number ${caseNo}, or left out`)
    }
    holder[caseField] = caseNo
    if (place !== undefined) filled[place] = holder
  }
  return filled
}

/** Characters. */
const longestAdded = 2_000

/** The request with the fields that a flow asks for beside those of its operation: texts, each of them needed. */
export function withAdded(
  names: readonly string[],
  given: Record<string, unknown>,
  request: Record<string, unknown>,
): Record<string, unknown> {
  const added = names.map(name => [name, given[name]] as const)
  const missing = added.filter(([, value]) => value === undefined || value === null)
  const wrong = added.filter(([, value]) => value != null && !isShortText(value))
  const faults = [
    ...missing.map(([name]) => `request: ${name} is missing`),
    ...wrong.map(([name]) => `request: ${name}: has to be a text of 1 to ${longestAdded} characters`),
  ]
  if (faults.length > 0) throw finalFailure('InvalidFlowInput', faults.join('; '))
  return { ...request, ...Object.fromEntries(added) }
}

function isShortText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= longestAdded
}

/** The members of a request that have a ReferenceCaseNo; undefined stands for the request itself. */
function placesOfCaseNo({ request }: CreateOperation): (string | undefined)[] {
  const shape: Record<string, unknown> = request.shape
  const nested = Object.keys(shape).filter(key => caseField in shapeBelow(shape[key]))
  return caseField in shape ? [undefined, ...nested] : nested
}

/** The members of an object schema below `optional` and `nullable`; none when it is not an object. */
function shapeBelow(schema: unknown): Record<string, unknown> {
  if (!isRecord(schema)) return {}
  if (isRecord(schema.shape)) return schema.shape
  return typeof schema.unwrap === 'function' ? shapeBelow(schema.unwrap()) : {}
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object'
}
