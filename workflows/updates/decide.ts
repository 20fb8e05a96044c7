import { type Decision, type FlowStatus, mustBeDuration, parseDuration } from '#flows'
import { requestCancellation } from '../cancellation.ts'
import { type FlowContext, requirePlanned, setState, toStatus } from '../context.ts'
import { flowFailure } from '../failures.ts'
import { validate as validateNotEnded } from './cancel.ts'

const decisions = ['extend', 'cancel', 'keepWaiting'] as const satisfies Decision['decision'][]

/** Rejects an invalid decision, and any decision while no window has passed. */
export function validate(flow: FlowContext, decision: Decision): void {
  validateNotEnded(flow)
  if (!decisions.includes(decision?.decision)) {
    throw flowFailure('InvalidFlowInput', `decision: must be one of ${decisions.join(', ')}.`)
  }
  if (!isMissing(decision.by) && parseDuration(decision.by) === undefined) {
    throw flowFailure('InvalidFlowInput', `by: ${mustBeDuration}.`)
  }
  if (flow.state !== 'overdue') {
    throw flowFailure('NothingToDecide', 'No window has passed, so there is nothing to decide.')
  }
}

export function handle(flow: FlowContext, decision: Decision): FlowStatus {
  if (decision.decision === 'cancel') requestCancellation(flow)
  else extend(flow, decision)
  return toStatus(flow)
}

function extend(flow: FlowContext, { decision, by }: Decision): void {
  const { progress } = requirePlanned(flow)
  const window = progress.plan.stages[progress.stage]?.window ?? null
  const extension = isMissing(by) ? window : (parseDuration(by) ?? window)
  setState(flow, 'waiting')
  progress.deadline = decision === 'extend' && extension !== null ? Date.now() + extension : null
  flow.needsEvaluation = true
}

/** Clients in many languages send null for an unset field. */
function isMissing(value: unknown): value is null | undefined {
  return value === null || value === undefined
}
