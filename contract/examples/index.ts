// One example for each operation, as an integrator would paste it; together they are one story with one set of names.
// The document and the contract's own door import this.
import type { OperationName, RequestOf, ResponseOf } from '../types.ts'
import { accounts } from './accounts.ts'
import { bookings } from './bookings.ts'
import { linkedBookings } from './linkedBookings.ts'
import { platform } from './platform.ts'
import { shipments } from './shipments.ts'
import { suggestions } from './suggestions.ts'

export { callbackExample } from './platform.ts'

/** A request, and the success that it gets without the envelope. */
export interface Example<Name extends OperationName = OperationName> {
  readonly request: RequestOf<Name>
  readonly response: ResponseOf<Name>
  /** The text of the file that an upload takes. */
  readonly file?: string
}

/** The examples of some operations, each fitting its own. */
export type Examples<Name extends OperationName> = { readonly [Each in Name]: Example<Each> }

export const examples: Examples<OperationName> = {
  ...bookings,
  ...linkedBookings,
  ...shipments,
  ...accounts,
  ...suggestions,
  ...platform,
}
