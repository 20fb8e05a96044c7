import type { z } from 'zod'
import {
  describeIssue,
  lenientEnvelope,
  normalizeKeys,
  type Operation,
  type OperationName,
  operations,
} from '#contract'
import { businessErrors } from '#contract/terms'
import { ApiFault, ApiRefusal, fault } from './failures.ts'
import { applyLeniency } from './leniency.ts'
import { type HttpResponse, requestIdOf, retryAfter } from './post.ts'
import { isFaultCode, isTokenCode, toStatusMeaning } from './statusCodes.ts'

/** The response schema of each operation with the envelope, whose keys are normalized together. */
const envelopedResponses = new Map<string, z.ZodObject>(
  Object.values(operations).map((each: Operation) => [each.name, each.response.extend(lenientEnvelope.shape)]),
)

/** A text that is not a code, such as a proxy's sentence, must not become the type of a failure: it can name people. */
const codePattern = /^[A-Za-z]\w{0,63}$/

/** Maximum length of a response that can reject a token, in characters. Longer ones are not parsed twice. */
const maxRejection = 2_000

/** True for a response that rejects the token: HTTP 401, or HTTP 200 with such a code. */
export function rejectsToken({ status, text }: HttpResponse): boolean {
  if (status !== 200 || text.length > maxRejection || !/unauthorized/i.test(text)) return status === 401
  try {
    const { success, error } = lenientEnvelope.parse(normalizeKeys(lenientEnvelope, JSON.parse(text), () => {}))
    return success !== true && isTokenCode(error ?? '')
  } catch {
    return false
  }
}

/** How a response is read. */
export interface Reading {
  /** Keeps access codes in the response. */
  readonly withCodes: boolean
  /** The request had an Idempotency-Key. */
  readonly hasKey: boolean
}

/**
 * Reads the fields of a success.
 * @throws ApiRefusal when the service refused
 * @throws ApiFault when the response cannot be used
 */
export function readResponse(name: OperationName, response: HttpResponse, { withCodes, hasKey }: Reading): unknown {
  const operation: Operation = operations[name]
  const body = normalize(name, response.text, withCodes)
  const envelope = lenientEnvelope.safeParse(body)
  const { success, error, message } = envelope.data ?? {}
  const isDone = response.status >= 200 && response.status <= 299
  const isRefused = success === false || (success == null && Boolean(error))
  const isFault = isDone ? isRefused && isFaultCode(error ?? '') : !isRefusal(response.status, success, error)
  if (isFault) throw toFault(name, response, { error, message }, success === false && !hasKey)
  if (!envelope.success) throw malformed(response, `${name}: no JSON object with an envelope`)
  if (isRefused) {
    const [code, text] = error && codePattern.test(error) ? [error, message] : ['UnknownRefusal', message || error]
    throw new ApiRefusal(code, text, body as Record<string, unknown>, requestIdOf(response))
  }
  applyLeniency(operation.response, body)
  const parsed = operation.response.safeParse(body)
  if (parsed.success) return parsed.data
  throw malformed(response, `${name}: ${describeIssues(parsed.error.issues, body)}`)
}

function normalize(name: OperationName, text: string, withCodes: boolean): unknown {
  const schema = envelopedResponses.get(name)
  try {
    const body: unknown = JSON.parse(text)
    if (!withCodes) redactAccessCodes(body)
    return schema && normalizeKeys(schema, body, () => {})
  } catch {
    return undefined
  }
}

/**
 * True for a refusal with an HTTP status of its own, which the specification leaves open. Only codes of refusals count, since
 * any other code can belong to the status.
 */
function isRefusal(status: number, success: boolean | null | undefined, error: string | null | undefined): boolean {
  return status >= 400 && status <= 499 && success === false && Object.hasOwn(businessErrors, error ?? '')
}

function toFault(
  name: OperationName,
  response: HttpResponse,
  { error, message }: { readonly error?: string | null | undefined; readonly message?: string | null | undefined },
  refusesKeyless: boolean,
): ApiFault {
  const meaning = toStatusMeaning(response.status, error ?? '', refusesKeyless)
  const { status } = response
  const reason = `${name}: HTTP ${status}`
  const details = { ...meaning, status, reason, retryAfter: retryAfter(response), requestId: requestIdOf(response) }
  if (!error || !codePattern.test(error)) return fault(details, reason)
  return new ApiFault({ ...details, code: error }, `${message || error} (${reason})`)
}

/** A page of shipments can have one issue per shipment. */
const maxIssues = 3

/** Names fields, but none of their values, so that the text can be stored and shown. */
function describeIssues(issues: readonly z.core.$ZodIssue[], body: unknown): string {
  const described = issues.slice(0, maxIssues).map(issue => describeIssue(issue, body))
  const further = issues.length - described.length
  return [...described, ...(further > 0 ? [`and ${further} more`] : [])].join('; ')
}

function malformed(response: HttpResponse, detail: string): ApiFault {
  const { status } = response
  const requestId = requestIdOf(response)
  const details = { status, retryable: true, outcomeUnknown: true, requestId, reason: detail }
  return fault({ code: 'MalformedResponse', ...details }, detail)
}

/** Fields with access codes, in lower case. */
const accessCodeFields = new Set(['pickupcode', 'deliverycode'])

/** The lengths of their names, since most other fields then need no copy in lower case. */
const accessCodeLengths = new Set([...accessCodeFields].map(({ length }) => length))

function isAccessCode(key: string): boolean {
  return accessCodeLengths.has(key.length) && accessCodeFields.has(key.toLowerCase())
}

/**
 * Sets every access code of a response to null, in place, at any depth and in any casing: pin codes must not get into a
 * workflow's history.
 */
function redactAccessCodes(value: unknown): void {
  if (value === null || typeof value !== 'object') return
  if (Array.isArray(value)) {
    for (const member of value) redactAccessCodes(member)
    return
  }
  for (const key of Object.keys(value)) {
    if (isAccessCode(key)) Reflect.set(value, key, null)
    else redactAccessCodes((value as Record<string, unknown>)[key])
  }
}
