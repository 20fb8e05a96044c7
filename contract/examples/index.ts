// One example per operation, ready to paste. Together they tell one story with one set of identifiers.
// Imported by contract/openapi and by the contract's door.
import type { OperationName } from '../types.ts'
import { accounts } from './accounts.ts'
import { bookings } from './bookings.ts'
import type { Examples } from './example.ts'
import { linkedBookings } from './linkedBookings.ts'
import { platform } from './platform.ts'
import { shipments } from './shipments.ts'
import { suggestions } from './suggestions.ts'

export type { Example } from './example.ts'
export { callbackExample } from './platform.ts'

export const examples: Examples<OperationName> = {
  ...bookings,
  ...linkedBookings,
  ...shipments,
  ...accounts,
  ...suggestions,
  ...platform,
}
