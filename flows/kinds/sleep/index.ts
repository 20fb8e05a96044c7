import { describePoint } from '../../points.ts'
import type { Kind } from '../kind.ts'
import type { PlannedSleep, SleepStep } from './step.ts'

export const sleep: Kind<SleepStep, PlannedSleep> = {
  end: endOf,
  hasWindow: ({ sleep }) => typeof sleep === 'string',
  describe: ({ sleep }) => `It lasts ${typeof sleep === 'string' ? sleep : `until ${describePoint(sleep.until)}`}.`,
  plan: (step, planning) => ({ kind: 'sleep', until: planning.window(endOf(step)) }),
}

function endOf({ sleep }: SleepStep) {
  return typeof sleep === 'string' ? sleep : sleep.until
}
