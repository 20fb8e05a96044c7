import { allHandlersFinished, workflowInfo } from '@temporalio/workflow'
import { isCancelled, type Run } from './run.ts'

/** Notes that something has come which is in the history. */
export function noteHeard(run: Run): void {
  run.heardAt = workflowInfo().historyLength
}

/**
 * Whether a flow that waits may continue as new: its history is long, and nothing is under way that a new run would not
 * know. Only in a task in which something has come that is in the history: of an update that was refused nothing is
 * there, and a new run that it brought about could not be replayed. To be asked in a condition, which is looked at once
 * all else of the task is done: whether a handler is just ending depends on the SDK's inner steps.
 */
export function isTimeToCarryOn(run: Run): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo()
  if (!continueAsNewSuggested || run.heardAt !== historyLength) return false
  return isAlone(run) && !isCancelled(run) && !run.released
}

/** Nobody waits for an answer, and Temporal has taken every notice: a child that it has not is lost with its parent. */
export function isAlone({ untaken }: Run): boolean {
  return allHandlersFinished() && untaken.size === 0
}
