import { type OperationName, operations, type ResponseOf, succeeded } from '#contract'
import { type ErrorCode, errors } from '#contract/terms'
import type { Refusal } from '../operations/call.ts'
import { refusalBody } from './failures.ts'

/** How a call ended, ready to be sent and to be kept. */
export interface Outcome {
  /** HTTP status. */
  readonly status: number
  /** JSON. */
  readonly body: string
  readonly error: ErrorCode | undefined
  /** Seconds. */
  readonly retryAfter?: number | undefined
}

/** A yes: the operation's fields in the order and spelling of the contract, then the envelope. */
export function success<Name extends OperationName>(name: Name, response: ResponseOf<Name>): Outcome {
  return { status: 200, body: JSON.stringify({ ...fieldsOf(name, response), ...succeeded }), error: undefined }
}

/** A no, with the operation's fields before the envelope when it carries some. */
export function refused(refusal: Refusal, name?: OperationName): Outcome {
  const { code, retryAfter, answer } = refusal
  const fields = name && answer && fieldsOf(name, answer)
  const body = JSON.stringify({ ...fields, ...refusalBody(refusal) })
  return { status: errors[code].status, body, error: code, retryAfter }
}

function fieldsOf(name: OperationName, response: object): Record<string, unknown> {
  const given = new Map(Object.entries(response))
  return Object.fromEntries(Object.keys(operations[name].response.shape).map(field => [field, given.get(field)]))
}
