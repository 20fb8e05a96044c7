import { z } from 'zod'
import {
  describeIssue,
  lenientEnvelope,
  normalizeKeys,
  type Operation,
  type OperationName,
  operations,
} from '#contract'
import { ApiFault, ApiRefusal, fault } from './failures.ts'
import { type HttpResponse, retryAfter } from './post.ts'
import { toStatusMeaning } from './statusCodes.ts'

/** The response schema of each operation with the envelope, whose keys are normalized together. */
const envelopedResponses = new Map<string, z.ZodObject>(
  Object.values(operations).map((each: Operation) => [each.name, each.response.extend(lenientEnvelope.shape)]),
)

const codePattern = /^[A-Za-z]\w{0,63}$/

/**
 * Reads the fields of a success.
 * @param withCodes keeps access codes in the response
 * @throws ApiRefusal when the service refused
 * @throws ApiFault when the response cannot be used
 */
export function readResponse(name: OperationName, response: HttpResponse, withCodes: boolean): unknown {
  const operation: Operation = operations[name]
  const body = normalize(name, response.text, withCodes)
  const envelope = lenientEnvelope.safeParse(body)
  const { success, error, message } = envelope.data ?? {}
  if (response.status < 200 || response.status > 299) throw toFault(name, response, error, message)
  if (!envelope.success) throw malformed(response, `${name}: no JSON object with an envelope`)
  if (success === false || (success == null && error)) {
    throw new ApiRefusal(error || 'UnknownRefusal', message, body as Record<string, unknown>)
  }
  const parsed = operation.response.safeParse(nullForMissing(operation.response, body))
  if (parsed.success) return parsed.data
  throw malformed(response, `${name}: ${parsed.error.issues.map(issue => describeIssue(issue, body)).join('; ')}`)
}

function normalize(name: OperationName, text: string, withCodes: boolean): unknown {
  const schema = envelopedResponses.get(name)
  try {
    const body: unknown = JSON.parse(text)
    return schema && normalizeKeys(schema, withCodes ? body : redactAccessCodes(body), () => {})
  } catch {
    return undefined
  }
}

function toFault(
  name: OperationName,
  response: HttpResponse,
  error?: string | null,
  message?: string | null,
): ApiFault {
  const meaning = toStatusMeaning(response.status)
  const details = { ...meaning, status: response.status, retryAfter: retryAfter(response) }
  // A text that is not a code, such as a proxy's sentence, must not become the type of a failure.
  if (!error || !codePattern.test(error)) return fault(details, `${name}: HTTP ${response.status}`)
  return new ApiFault({ ...details, code: error }, `${message || error} (${name}: HTTP ${response.status})`)
}

function malformed(response: HttpResponse, detail: string): ApiFault {
  return fault({ code: 'MalformedResponse', status: response.status, retryable: true, outcomeUnknown: true }, detail)
}

/**
 * Sets every nullable field that is absent to null, since a service may leave such fields out. Fields that the schema
 * does not know stay unchanged.
 */
function nullForMissing(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    return nullForMissing(schema.unwrap(), value)
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map(member => nullForMissing(schema.element, member))
  }
  if (!(schema instanceof z.ZodObject) || value === null || typeof value !== 'object') return value
  const members = Object.entries(schema.shape).map(([key, member]) => {
    const given = (value as Record<string, unknown>)[key]
    if (given === undefined && member instanceof z.ZodNullable) return [key, null]
    return [key, nullForMissing(member, given)]
  })
  return { ...value, ...Object.fromEntries(members) }
}

/** Fields with access codes, in lower case. */
const accessCodeFields = new Set(['pickupcode', 'deliverycode'])

/**
 * Copies a response and sets every access code to null, at any depth and in any casing: pin codes must not get into a
 * workflow's history.
 */
function redactAccessCodes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactAccessCodes)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      accessCodeFields.has(key.toLowerCase()) ? null : redactAccessCodes(member),
    ]),
  )
}
