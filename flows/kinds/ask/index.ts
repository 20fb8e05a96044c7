import type { Kind } from '../kind.ts'
import type { AskStep, PlannedAsk } from './step.ts'

export const ask: Kind<AskStep, PlannedAsk> = {
  end: ({ window }) => window,
  plan: ({ ask: answers, who, window, onTimeout }, planning) => ({
    kind: 'ask',
    answers,
    who,
    window: planning.timedWindow(window),
    onTimeout: planning.onTimeout(onTimeout),
  }),
}
