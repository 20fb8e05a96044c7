import { planBlock } from '../blockPlan.ts'
import type { Kind } from '../kind.ts'
import type { ParallelStep, PlannedParallel, Until } from './step.ts'

export function parallel<Step>(): Kind<ParallelStep<Step>, PlannedParallel, Step> {
  return {
    end: ({ window = null }) => window,
    lists: step => step.parallel,
    plan: (step, planning) => ({
      kind: 'parallel',
      ...planBlock(step, planning),
      branches: planning.lists.map(({ name = '', from, to }) => ({ name, from, to })),
      until: toCount(step.until),
    }),
  }
}

/** The number of branches or items that end a block. */
export function toCount(until: Until = 'all'): 'all' | number {
  if (until === 'all') return until
  return until === 'first' ? 1 : until.atLeast
}
