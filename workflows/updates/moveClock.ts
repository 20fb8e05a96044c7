import { furthestClock } from '#contract/terms'
import type { MoveClockUpdate, MovedClock } from '#flows'
import type { FlowContext } from '../context.ts'
import { flowFailure } from '../failures.ts'
import { validateNotEnded } from './cancel.ts'

/** Rejects a flow that runs by Temporal's clock. A flow without a plan is checked when it has one. */
export function validate(flow: FlowContext, update: MoveClockUpdate): void {
  validateNotEnded(flow)
  const ahead = update?.ahead
  if (!Number.isSafeInteger(ahead) || ahead < 0 || ahead > furthestClock) {
    throw flowFailure('InvalidFlowInput', `ahead: must be a whole number of milliseconds from 0 to ${furthestClock}.`)
  }
  if (flow.progress !== undefined) requireClock(flow)
}

/** Returns when the clock of the flow is that far ahead, or the flow has ended. A clock never moves back. */
export function handle(flow: FlowContext, { ahead }: MoveClockUpdate): Promise<MovedClock> {
  // The Web UI's cancel button would cancel the conditions, and with them the response.
  return flow.runtime.protect(() => move(flow, ahead))
}

async function move(flow: FlowContext, ahead: number): Promise<MovedClock> {
  const hasEnded = () => flow.hasEnded
  await flow.runtime.condition(() => flow.progress !== undefined || hasEnded())
  if (hasEnded()) return { ended: true }
  const clock = requireClock(flow)
  clock.target = Math.max(clock.target, ahead)
  flow.needsEvaluation = true
  await flow.runtime.condition(() => clock.ahead >= ahead || hasEnded())
  return { ended: hasEnded() }
}

function requireClock({ progress }: FlowContext) {
  if (progress?.clock !== undefined) return progress.clock
  throw flowFailure(
    'ClockFixed',
    'The flow runs by the clock of Temporal. Only flows of a test in staging have another.',
  )
}
