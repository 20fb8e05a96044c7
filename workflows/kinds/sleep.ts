import type { PlannedSleep } from '#flows'
import type { Kind } from './kind.ts'

export const sleep: Kind<PlannedSleep> = {
  isComplete: (_progress, _step, { entered, resolving, deadline }, now) =>
    entered && !resolving && (deadline === null || now >= deadline),
  describe: (_, end) => [`- until ${end}`],
}
