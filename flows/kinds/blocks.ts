// The kinds of blocks.
import type { PlannedForEach } from './forEach/step.ts'
import type { PlannedGroup } from './group/step.ts'
import type { PlannedParallel } from './parallel/step.ts'
import type { PlannedRepeat } from './repeat/step.ts'
import type { PlannedSwitch } from './switch/step.ts'

export type PlannedBlock = PlannedGroup | PlannedSwitch | PlannedParallel | PlannedForEach | PlannedRepeat

const blockKinds: ReadonlySet<string> = new Set<PlannedBlock['kind']>([
  'group',
  'switch',
  'parallel',
  'forEach',
  'repeat',
])

/** True for a step of a plan that has steps of its own. */
export function isBlock(step: { readonly kind: string }): step is PlannedBlock {
  return blockKinds.has(step.kind)
}

/** The index after a step of a plan and all of its own: the next step of its list. */
export function siblingAfter(steps: readonly { readonly kind: string }[], index: number): number {
  const step = steps[index]
  return step !== undefined && isBlock(step) ? step.end : index + 1
}
