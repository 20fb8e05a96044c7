import { planBlock } from '../blockPlan.ts'
import type { Kind } from '../kind.ts'
import type { PlannedSwitch, SwitchStep } from './step.ts'

export function switchCases<Step>(): Kind<SwitchStep<Step>, PlannedSwitch, Step> {
  return {
    end: ({ window = null }) => window,
    lists: step => step.switch,
    plan: (step, planning) => ({
      kind: 'switch',
      ...planBlock(step, planning),
      cases: planning.lists.map(({ from, to, when, declared }, index) => ({
        from,
        to,
        ...(when && { when }),
        ...(declared !== index && { declared }),
      })),
    }),
  }
}
