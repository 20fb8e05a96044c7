import { planBlock } from '../blockPlan.ts'
import type { Kind } from '../kind.ts'
import { toCount } from '../parallel/index.ts'
import type { ForEachStep, PlannedForEach } from './step.ts'

export function forEach<Step>(): Kind<ForEachStep<Step>, PlannedForEach, Step> {
  return {
    end: ({ window = null }) => window,
    lists: ({ steps }) => [{ steps }],
    plan(step, planning) {
      const { forEach: path, item, key, atMost, atOnce = atMost, onItemError = 'fail', until, collect = {} } = step
      return {
        kind: 'forEach',
        ...planBlock(step, planning),
        in: path,
        item,
        ...(key !== undefined && { key }),
        atMost,
        atOnce,
        onItemError,
        until: toCount(until),
        collect,
      }
    },
  }
}
