import { isBlock } from '#flows'
import type { PlannedFlow } from './context.ts'
import { confirmByPoll } from './lockers/index.ts'
import { notify } from './notifications/start.ts'
import { advance, recordEdge } from './steps/advance.ts'
import { climb, leaveBlock } from './steps/climb.ts'
import { startWindow } from './steps/windowStart.ts'
import { canRestart, isGoTo, type TimedStep, toIndex } from './steps/windows.ts'
import { setDeadline, startOverdue, type Token } from './tokens.ts'

/** Milliseconds after which a window ends that could not be confirmed. */
const retryAfter = 60_000

/** Applies the declared policy of a window that has passed, after it has asked once more for what the step waits for. */
export function onDeadline(flow: PlannedFlow, token: Token, step: TimedStep): void {
  const { progress, runtime } = flow
  const isCurrent = step.kind === 'ask' || confirmByPoll(flow, token)
  if (isCurrent === 'later') return
  const policy = step.onTimeout
  if (policy === 'cancel' || isGoTo(policy)) {
    // Without a response the item may have come in after all.
    if (!isCurrent) setDeadline(token, runtime.now() + retryAfter)
    else if (policy === 'cancel') {
      climb(flow, token, 'Expired', { outcome: 'expired' }, 'timeout.cancel')
      runtime.countStep(step.name, 'timedOut')
    } else if (isBlock(step)) leaveBlock(flow, token, { to: toIndex(progress, token, policy), cause: 'timeout.goTo' })
    else advance(flow, token, toIndex(progress, token, policy), 'timeout.goTo')
    return
  }
  if (policy === 'remind') recordEdge(flow, token, 'remind', token.step)
  startOverdue(token, runtime.now())
  notify(flow, token, 'flow.overdue')
  runtime.countStep(step.name, 'overdue')
  // A reminder starts the window again, unless it ended at a moment. A question waits for a decision.
  setDeadline(token, null)
  if (policy === 'remind' && canRestart(step)) startWindow(flow, token, step)
}
