import { signatureKey } from './shared.ts'
import type { Variable } from './variable.ts'

/** The key of decision links, which workers sign with and gateways check. */
export const decisionKeyVariable = {
  LOCKERFLOW_DECISION_LINKS_KEY: {
    description:
      'Key that signs the links in notifications by which an overdue flow is decided. Workers and gateways need the same one. See [decide by link](../how-to/decide-by-link.md).',
    example: 'choose-32-random-characters-here',
    schema: signatureKey.optional(),
    secret: true,
  },
} as const satisfies Record<string, Variable>
