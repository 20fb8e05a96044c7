import { allHandlersFinished, workflowInfo } from '@temporalio/workflow'
import { isCancelled } from './cancellation.ts'
import type { FlowContext } from './context.ts'

/** Called for every event that the history records: a signal, an accepted update, an activity's end, a fired timer. */
export function noteRecordedEvent(flow: FlowContext): void {
  flow.historyLengthAtLastEvent = workflowInfo().historyLength
}

/**
 * A waiting flow continues as new when its history is long and nothing would be lost.
 * Only in a workflow task that contains a recorded event: a task with rejected updates only leaves nothing to
 * replay. Evaluate inside `condition()`, which runs after all handlers of the task.
 */
export function shouldContinueAsNew(flow: FlowContext): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo()
  if (!continueAsNewSuggested || flow.historyLengthAtLastEvent !== historyLength) return false
  return isQuiescent(flow) && !isCancelled(flow) && !flow.releaseRequested
}

/** True without running handlers and starting child workflows: a child that is not started is lost with its parent. */
export function isQuiescent({ startingNotifications }: FlowContext): boolean {
  return allHandlersFinished() && startingNotifications.size === 0
}
