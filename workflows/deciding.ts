import { type Decision, milliseconds } from '#contract/terms'
import { flowFailure } from './failures.ts'
import { courseOf, orderCancel, type Run, refuseEnded } from './run.ts'

const decisions = ['extend', 'cancel', 'keepWaiting'] as const satisfies Decision['decision'][]

/** Refuses a decision that is none, or that nobody asked for. */
export function refuseDecision(run: Run, decision: Decision): void {
  refuseEnded(run)
  if (!decisions.includes(decision?.decision)) {
    throw flowFailure('InvalidFlowInput', `decision: has to be one of ${decisions.join(', ')}`)
  }
  if (!isAbsent(decision.by) && milliseconds(decision.by) === undefined) {
    throw flowFailure('InvalidFlowInput', 'by: has to be a duration such as "30s", "30m", "48h" or "3d"')
  }
  if (run.state !== 'overdue') {
    throw flowFailure('NothingToDecide', 'No window has passed, so there is nothing to decide.')
  }
}

/** Applies a person's decision about a window that has passed. */
export function decide(run: Run, { decision, by }: Decision): void {
  if (decision === 'cancel') {
    orderCancel(run)
    return
  }
  const course = courseOf(run)
  const window = course.plan.stages[course.stage]?.window ?? 0
  const extension = isAbsent(by) ? window : (milliseconds(by) ?? window)
  run.state = 'waiting'
  run.stirred = true
  course.overdue = false
  course.deadline = decision === 'extend' ? Date.now() + extension : null
}

/** Many languages send null for what is not set. */
function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined
}
