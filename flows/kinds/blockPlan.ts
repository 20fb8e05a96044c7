import type { BlockStep, PlannedBlockCommon } from './block.ts'
import type { Planning } from './kind.ts'
import type { PlannedCommon } from './planned.ts'

/** What all blocks have in a plan. */
export function planBlock(
  { window = null, onTimeout }: BlockStep,
  planning: Planning,
): Omit<PlannedBlockCommon, keyof PlannedCommon | 'onError'> {
  return { end: planning.end, window: planning.timedWindow(window), onTimeout: planning.onTimeout(onTimeout) }
}
