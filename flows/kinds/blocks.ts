// The kinds of blocks.
import type { ForEachStep, PlannedForEach } from './forEach/step.ts'
import type { GroupStep, PlannedGroup } from './group/step.ts'
import type { ParallelStep, PlannedParallel } from './parallel/step.ts'
import type { PlannedRepeat, RepeatStep } from './repeat/step.ts'
import type { PlannedSwitch, SwitchStep } from './switch/step.ts'

export type PlannedBlock = PlannedGroup | PlannedSwitch | PlannedParallel | PlannedForEach | PlannedRepeat

/** A declared block around steps of any kind. */
export type BlockOf<Step> =
  | GroupStep<Step>
  | SwitchStep<Step>
  | ParallelStep<Step>
  | ForEachStep<Step>
  | RepeatStep<Step>

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
