// What the specification and docs/decisions.md say, rule by rule, with the tests that hold each.
import type { Rule } from '../rule.ts'
import { accounts } from './accounts.ts'
import { callback } from './callback.ts'
import { creation } from './creation.ts'
import { decisions } from './decisions.ts'
import { management } from './management.ts'
import { protocol } from './protocol.ts'
import { signIn } from './signIn.ts'
import { states } from './states.ts'
import { suggestions } from './suggestions.ts'

export { refusals } from './refusals.ts'

/** The rules by the part that they are of. */
export const parts: Readonly<Record<string, readonly Rule[]>> = {
  'General rules, errors, limits, versioning': protocol,
  'Shipments and their states': states,
  'Shipment creation': creation,
  'Shipment management': management,
  Accounts: accounts,
  'Account suggestions': suggestions,
  Authentication: signIn,
  Callback: callback,
  Decisions: decisions,
}
