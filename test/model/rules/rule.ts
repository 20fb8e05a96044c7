import type { OperationName, RequestOf, ResponseOf } from '#contract'
import type { ErrorCode } from '#contract/terms'
import type { Locker } from '../model/lockers.ts'
import type { Model, Name } from '../model/model.ts'

/** Choices of the service that the specification leaves open. */
export interface Choices {
  /** The booked locker if it is one of these, otherwise the first. */
  locker(among: readonly Locker[]): Locker
  /** The position in the response, for items that are equal in the requested order. */
  rank(name: Name): number
}

export interface Caller {
  readonly client: string
  readonly tenant: string
  readonly choices: Choices
}

/**
 * Changes the model as the operation does and returns its response, with names for identifiers.
 * @throws Refusal if the operation is refused and changes nothing
 */
export type Rule<Name extends OperationName> = (
  model: Model,
  request: RequestOf<Name>,
  caller: Caller,
) => ResponseOf<Name> | { readonly refused: ErrorCode; readonly answer?: ResponseOf<Name> }

export type Rules<Names extends OperationName> = { readonly [Name in Names]: Rule<Name> }
