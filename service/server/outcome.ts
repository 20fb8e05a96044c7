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
  const given = new Map(Object.entries(response))
  const fields = Object.keys(operations[name].response.shape).map(field => [field, given.get(field)])
  return { status: 200, body: JSON.stringify({ ...Object.fromEntries(fields), ...succeeded }), error: undefined }
}

/** A no. */
export function refused(refusal: Refusal): Outcome {
  const { code, retryAfter } = refusal
  return { status: errors[code].status, body: JSON.stringify(refusalBody(refusal)), error: code, retryAfter }
}
