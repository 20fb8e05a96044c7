import type { Kind } from '../kind.ts'
import type { PlannedWait, WaitStep } from './step.ts'

export const wait: Kind<WaitStep, PlannedWait> = {
  end: ({ window }) => window,
  plan: ({ wait: reached, window, onTimeout, onLockerOutOfService }, planning) => ({
    kind: 'wait',
    reached,
    window: planning.timedWindow(window),
    onTimeout: planning.onTimeout(onTimeout),
    ...(onLockerOutOfService && { onLockerOutOfService }),
  }),
}
