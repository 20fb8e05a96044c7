import type { PlannedAsk } from '#flows'
import { toValueKey } from '../scopes.ts'
import { describeDeadline } from './deadline.ts'
import type { Kind } from './kind.ts'

/** The update `answer` completes it. */
export const ask: Kind<PlannedAsk> = {
  isComplete: ({ answered }, { name }, { id }) => answered[toValueKey(id, name)] !== undefined,
  describe: ({ onTimeout }, end) => [describeDeadline(end, onTimeout)],
}
