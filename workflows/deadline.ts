import type { PlannedAsk, PlannedWait } from '#flows'
import { isCancelled, type PlannedFlow, setState } from './context.ts'
import { kindOf } from './kinds/index.ts'
import { isComplete, isEndedFromOutside, isReleased } from './next.ts'
import { notify } from './notifications/start.ts'
import { setDeadline } from './position.ts'
import { advance, endIn, recordEdge } from './steps/advance.ts'
import { startWindow } from './steps/windowStart.ts'
import { canRestart, isGoTo, toIndex } from './steps/windows.ts'

/** Milliseconds after which a window ends that could not be confirmed. */
const retryAfter = 60_000

/** Asks once more for what the step waits for, before the declared policy applies. */
export async function onDeadline(flow: PlannedFlow, step: PlannedWait | PlannedAsk): Promise<void> {
  const { progress, runtime } = flow
  const { deadline } = progress
  const confirmed = kindOf(step).confirm?.(flow)
  const isCurrent = confirmed === undefined || (await confirmed)
  // The poll, an answer, a release or a decision can have changed the situation meanwhile.
  if (
    isComplete(progress, step, runtime.now()) ||
    isReleased(progress, flow) ||
    isEndedFromOutside(progress, { cancelled: isCancelled(flow), released: flow.released }) ||
    progress.deadline !== deadline
  ) {
    return
  }
  const policy = step.onTimeout
  if (policy === 'cancel' || isGoTo(policy)) {
    // Without a response the item may have come in after all.
    if (!isCurrent) setDeadline(progress, runtime.now() + retryAfter)
    else if (policy === 'cancel') {
      endIn(flow, { outcome: 'expired' }, 'timeout.cancel')
      runtime.countStep(step.name, 'timedOut')
    } else advance(flow, toIndex(progress, policy), 'timeout.goTo')
    return
  }
  if (policy === 'remind') recordEdge(flow, 'remind', progress.step)
  setState(flow, 'overdue')
  notify(flow, 'flow.overdue')
  runtime.countStep(step.name, 'overdue')
  // A reminder starts the window again, unless it ended at a moment. A question waits for a decision.
  setDeadline(progress, null)
  if (policy === 'remind' && canRestart(step)) startWindow(flow, step)
}
