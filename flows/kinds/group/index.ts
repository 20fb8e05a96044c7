import { planBlock } from '../blockPlan.ts'
import type { Kind } from '../kind.ts'
import type { GroupStep, PlannedGroup } from './step.ts'

export function group<Step>(): Kind<GroupStep<Step>, PlannedGroup, Step> {
  return {
    end: ({ window = null }) => window,
    lists: ({ group: steps }) => [{ steps }],
    plan: (step, planning) => ({ kind: 'group', ...planBlock(step, planning) }),
  }
}
