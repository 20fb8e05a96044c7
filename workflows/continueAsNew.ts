import { type FlowContext, isBusy, isCancelled } from './context.ts'

/** Called for every event that the history records: a signal, an accepted update, an activity's end, a fired timer. */
export function noteRecordedEvent(flow: FlowContext): void {
  flow.historyLengthAtLastEvent = flow.runtime.info().historyLength
}

/**
 * A flow continues as new when its history is long and nothing would be lost: not while the work of a step is under way.
 * Only in a workflow task that contains a recorded event: a task with rejected updates only leaves nothing to
 * replay. Evaluate inside `condition()`, which runs after all handlers of the task, or after an activity has ended.
 */
export function shouldContinueAsNew(flow: FlowContext): boolean {
  return isDue(flow) && isQuiescent(flow) && !isCancelled(flow)
}

/**
 * True if a flow continues as new between two steps. Handlers that return at once can still be running there, but none may
 * wait for a booking, the end or a later moment of the flow.
 */
export function isDueToContinue(flow: FlowContext): boolean {
  const { booking, end } = flow.waiters
  const { ahead, target } = flow.progress?.clock ?? { ahead: 0, target: 0 }
  const isAwaited = booking.length > 0 || end.length > 0 || ahead < target
  return isDue(flow) && !isAwaited && !isCancelled(flow)
}

/**
 * True if a flow continues as new while it undoes its steps: its progress contains its end. It polls no more, so a hint does
 * not keep it from that.
 */
export function mayContinueUndo(flow: FlowContext): boolean {
  return isLong(flow) && isQuiescent(flow)
}

/** The history is long, and neither work nor a poll would be lost. */
function isDue(flow: FlowContext): boolean {
  return isLong(flow) && !flow.pollRequested
}

/** The history is long, this task contains a recorded event, and no work is under way. */
function isLong(flow: FlowContext): boolean {
  const { historyLength, continueAsNewSuggested } = flow.runtime.info()
  return continueAsNewSuggested && flow.historyLengthAtLastEvent === historyLength && !isBusy(flow)
}

/** True if the history is long, and the work of a step keeps the run from continuing as new. */
export function isHeldUp({ runtime, work }: FlowContext): boolean {
  return work.length > 0 && runtime.info().continueAsNewSuggested
}

/** Events beyond which a run with work begins no other step: Temporal terminates it at 51,200. */
const maxEvents = 20_000

/** True if the run has to continue as new before another step begins. */
export function isFull(flow: FlowContext): boolean {
  const { continueAsNewSuggested, historyLength } = flow.runtime.info()
  return continueAsNewSuggested && historyLength > maxEvents && isBusy(flow)
}

/** True without running handlers and starting child workflows: a child that is not started is lost with its parent. */
export function isQuiescent({ runtime, startingNotifications }: FlowContext): boolean {
  return runtime.allHandlersFinished() && !startingNotifications?.size
}
