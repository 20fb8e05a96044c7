import { CancellationScope, condition } from '@temporalio/workflow'
import type { FlowContext } from './context.ts'

/** The `cancel` update, the decision `cancel` and the Web UI's cancel button all end a flow in the same way. */
export function isCancelled({ cancelRequested, scope }: FlowContext): boolean {
  return cancelRequested || scope.consideredCancelled
}

/** The main loop sees the request in its condition. */
export function requestCancellation(flow: FlowContext): void {
  flow.cancelRequested = true
}

/** Runs an activity in a scope that is cancelled with the flow. */
export async function cancelledWithFlow<Result>(flow: FlowContext, activity: () => Promise<Result>): Promise<Result> {
  const scope = new CancellationScope()
  let ended = false
  const watch = condition(() => isCancelled(flow) || ended).then(() => {
    if (!ended) scope.cancel()
  })
  try {
    return await scope.run(activity)
  } finally {
    ended = true
    await watch
  }
}

/**
 * Starts work in a scope and returns its promise. The waits of the work belong to the scope, but nothing waits for the
 * scope itself: an awaited scope keeps promises of its own, which cost memory in every waiting flow.
 */
export function startInScope<Result>(scope: CancellationScope, work: () => Promise<Result>): Promise<Result> {
  const started: Promise<Result>[] = []
  void scope.run(async () => void started.push(work()))
  const [promise] = started
  if (promise === undefined) throw new Error('The scope did not start its work synchronously.')
  return promise
}
