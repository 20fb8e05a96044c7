import type { OperationName, RequestOf, ResponseOf } from '#contract'
import type { ErrorCode } from '#contract/terms'
import type { Locker } from '../model/lockers.ts'
import type { Model, Name } from '../model/model.ts'

/** Where the specification leaves a choice, what the service chose. */
export interface Choices {
  /** The locker that was booked, when it is one of these; otherwise the first. */
  locker(among: readonly Locker[]): Locker
  /** The place in the answer of what is equal in the order that was asked for. */
  rank(name: Name): number
}

export interface Caller {
  readonly client: string
  readonly tenant: string
  readonly choices: Choices
}

/**
 * What an operation does to the model, which it changes, and what it answers, with names for identifiers.
 * @throws Refusal when nothing happens
 */
export type Rule<Name extends OperationName> = (
  model: Model,
  request: RequestOf<Name>,
  caller: Caller,
) => ResponseOf<Name> | { readonly refused: ErrorCode; readonly answer?: ResponseOf<Name> }

export type Rules<Names extends OperationName> = { readonly [Name in Names]: Rule<Name> }
