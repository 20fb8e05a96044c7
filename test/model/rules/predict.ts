import type { OperationName } from '#contract'
import type { ErrorCode } from '#contract/terms'
import type { Model } from '../model/model.ts'
import { Refusal } from '../model/refusal.ts'
import { tenantOf } from '../places.ts'
import { type Fields, faultOf } from './body.ts'
import { rules } from './index.ts'
import type { Caller, Choices } from './rule.ts'

/** A request in the model's names. */
export interface Request {
  readonly operation: OperationName
  readonly client: string
  readonly fields: Fields
  readonly idempotencyKey?: string
  /** An unusual way to send the request. */
  readonly manner?: 'lower case' | 'upper case' | 'a key twice' | 'without a token'
}

export interface Prediction {
  /** The model after the request. */
  readonly model: Model
  readonly error: ErrorCode | null
  /** The fields of the response, except the envelope. */
  readonly answer: object
  /**
   * `again` if the response is the stored one of its Idempotency-Key, byte by byte; `hidden` if its account was removed
   * since; null if it is not stored.
   */
  readonly kept: 'first' | 'again' | 'hidden' | null
}

type AnyRule = (model: Model, fields: Fields, caller: Caller) => object

const day = 86_400_000
const creates = (operation: OperationName) => operation.startsWith('Create') || operation === 'AddShipmentObject'

/** Predicts the response and the next state of the model. */
export function predict(before: Model, request: Request, choices: Choices): Prediction {
  const { operation, client, fields, idempotencyKey: key, manner } = request
  const refused = (error: ErrorCode): Prediction => ({ model: before, error, answer: {}, kept: null })
  if (manner === 'without a token') return refused('Unauthorized')
  const fault = manner === 'a key twice' ? 'InvalidRequest' : faultOf(operation, fields)
  if (fault !== undefined) return refused(fault)
  if (key === undefined || !creates(operation)) return perform(before, request, choices)

  // Null means the same as an absent field.
  const meaning = JSON.stringify([operation, fields], (_, value) => value ?? undefined)
  const kept = before.kept.find(one => one.client === client && one.key === key && before.now - one.at < day)
  if (kept !== undefined) {
    return kept.request === meaning
      ? { model: before, error: null, answer: {}, kept: kept.hidden ? 'hidden' : 'again' }
      : refused('IdempotencyKeyReused')
  }
  const done = perform(before, request, choices)
  const others = done.model.kept.filter(one => one.client !== client || one.key !== key)
  const { userUid: account = null } = done.answer as { userUid?: string | null }
  const now = { client, key, request: meaning, at: before.now, account, hidden: false }
  return { ...done, kept: 'first', model: { ...done.model, kept: [...others, now] } }
}

function perform(before: Model, { operation, client, fields }: Request, choices: Choices): Prediction {
  const model = structuredClone(before)
  const caller = { client, tenant: tenantOf[client] ?? '', choices }
  try {
    const done = (rules[operation] as unknown as AnyRule)(model, fields, caller)
    if (!('refused' in done)) return { model, error: null, answer: done, kept: null }
    const { refused, answer = {} } = done as { refused: ErrorCode; answer?: object }
    return { model, error: refused, answer, kept: null }
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    return { model: before, error: thrown.code, answer: {}, kept: null }
  }
}
