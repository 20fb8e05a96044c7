import { allHandlersFinished, workflowInfo } from '@temporalio/workflow'
import type { Run } from './run.ts'

/** Notes that something has come which is in the history. */
export function noteHeard(run: Run): void {
  run.heardAt = workflowInfo().historyLength
}

/** Whether the flow may continue as new: its history is long, and nothing is under way that a new run would not know. */
export function mayCarryOn(run: Run): boolean {
  const isQuiet = allHandlersFinished() && run.untaken.size === 0
  return workflowInfo().continueAsNewSuggested && isQuiet && !run.cancelled && !run.released
}

/**
 * Whether a flow that waits may do so now. Only in a task in which something has come: of an update that was refused
 * nothing is in the history, and a new run that it brought about could not be replayed.
 */
export function isTimeToCarryOn(run: Run): boolean {
  return run.heardAt === workflowInfo().historyLength && mayCarryOn(run)
}
