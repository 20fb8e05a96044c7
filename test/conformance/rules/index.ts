// The rules of the specification and of the decisions, with the tests that verify them.
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

/** The rules by part of the page. */
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
