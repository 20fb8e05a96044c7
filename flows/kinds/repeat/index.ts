import { planBlock } from '../blockPlan.ts'
import type { Kind } from '../kind.ts'
import type { PlannedRepeat, RepeatStep } from './step.ts'

export function repeat<Step>(): Kind<RepeatStep<Step>, PlannedRepeat, Step> {
  return {
    end: ({ window = null }) => window,
    lists: ({ steps }) => [{ steps }],
    plan(step, planning) {
      const { atMost, every = null } = step.repeat
      const until = step.until !== undefined && { until: step.until }
      return { kind: 'repeat', ...planBlock(step, planning), atMost, every: planning.interval(every), ...until }
    },
  }
}
