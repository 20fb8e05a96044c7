import type { CancellationScope } from '@temporalio/workflow'

/**
 * Begins work in a scope, and is out of it at once: what the work waits for belongs to the scope all the same. A scope
 * that is waited for keeps promises of its own, which cost every waiting flow memory.
 */
export function beginIn<Answer>(scope: CancellationScope, work: () => Promise<Answer>): Promise<Answer> {
  const begun: Promise<Answer>[] = []
  void scope.run(async () => void begun.push(work()))
  const [promise] = begun
  if (promise === undefined) throw new Error('a scope runs its work at once')
  return promise
}
