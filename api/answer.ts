import type { z } from 'zod'
import { describeIssue, foldKeys, lenientEnvelope, type Operation, type OperationName, operations } from '#contract'
import { withAbsentAsNull } from './absent.ts'
import { withoutCodes } from './codes.ts'
import { type Answer, retryAfter } from './exchange.ts'
import { ApiFault, ApiRefusal, fault } from './failures.ts'
import { meaningOf } from './statuses.ts'

/** The answer of each operation with the envelope, whose keys are folded together. */
const whole = new Map<string, z.ZodObject>(
  Object.values(operations).map((each: Operation) => [each.name, each.response.extend(lenientEnvelope.shape)]),
)

const codePattern = /^[A-Za-z]\w{0,63}$/

/**
 * The fields of a success. Throws ApiRefusal when the answer is no and ApiFault when it cannot be used.
 * @param withCodes whether access codes stay in it
 */
export function readAnswer(name: OperationName, answer: Answer, withCodes: boolean): unknown {
  const operation: Operation = operations[name]
  const folded = fold(name, answer.text, withCodes)
  const envelope = lenientEnvelope.safeParse(folded)
  const { success, error, message } = envelope.data ?? {}
  if (answer.status < 200 || answer.status > 299) throw failing(name, answer, error, message)
  if (!envelope.success) throw strange(answer, `${name}: no JSON object with an envelope`)
  if (success === false || (success == null && error)) {
    throw new ApiRefusal(error || 'Refused', message, folded as Record<string, unknown>)
  }
  const parsed = operation.response.safeParse(withAbsentAsNull(operation.response, folded))
  if (parsed.success) return parsed.data
  throw strange(answer, `${name}: ${parsed.error.issues.map(issue => describeIssue(issue, folded)).join('; ')}`)
}

function fold(name: OperationName, text: string, withCodes: boolean): unknown {
  const schema = whole.get(name)
  try {
    const body: unknown = JSON.parse(text)
    return schema && foldKeys(schema, withCodes ? body : withoutCodes(body), () => {})
  } catch {
    return undefined
  }
}

function failing(name: OperationName, answer: Answer, error?: string | null, message?: string | null): ApiFault {
  const meaning = meaningOf(answer.status)
  const facts = { ...meaning, status: answer.status, retryAfter: retryAfter(answer) }
  // What is no code of a service, such as a proxy's sentence, must not become the type of a failure.
  if (!error || !codePattern.test(error)) return fault(facts, `${name}: HTTP ${answer.status}`)
  return new ApiFault({ ...facts, code: error }, `${message || error} (${name}: HTTP ${answer.status})`)
}

function strange(answer: Answer, detail: string): ApiFault {
  return fault({ code: 'StrangeAnswer', status: answer.status, retryable: true, maybeDone: true }, detail)
}
