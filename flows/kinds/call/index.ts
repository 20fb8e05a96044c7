import type { Kind } from '../kind.ts'
import type { CallStep, PlannedCall } from './step.ts'

export const call: Kind<CallStep, PlannedCall> = {
  end: ({ window }) => window,
  describe: step => `Operation ${step.call}.`,
  plan: ({ call: operation, request, keep, window }, planning) => ({
    kind: 'call',
    operation,
    request: planning.callRequest(operation, request),
    ...(keep && { keep: [...keep] }),
    window: planning.length(window),
  }),
}
