import type { Rule } from '../rule.ts'
import { accountDecisions } from './decisions/accounts.ts'
import { bookingDecisions } from './decisions/bookings.ts'
import { callbackDecisions } from './decisions/callback.ts'
import { orchestrationDecisions } from './decisions/orchestration.ts'
import { protocolDecisions } from './decisions/protocol.ts'
import { suggestionDecisions } from './decisions/suggestions.ts'

/** The rows of docs/decisions.md: its heading and point are the section. */
export const decisions: readonly Rule[] = [
  ...protocolDecisions,
  ...callbackDecisions,
  ...bookingDecisions,
  ...accountDecisions,
  ...suggestionDecisions,
  ...orchestrationDecisions,
]
