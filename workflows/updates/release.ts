import type { CancelResult } from '#flows'
import { isCancelled } from '../cancellation.ts'
import { type FlowContext, findCompletedBy } from '../context.ts'
import { flowFailure } from '../failures.ts'
import { validate as validateNotEnded, waitForEnd } from './cancel.ts'

/** Rejects a flow that keeps no booking, is not booked yet, or is cancelled. */
export function validate(flow: FlowContext): void {
  validateNotEnded(flow)
  const objection = objectionTo(flow)
  if (objection !== undefined) throw flowFailure('NothingToRelease', objection)
}

/** Requests the end of the kept booking; returns after the clean-up. */
export function handle(flow: FlowContext): Promise<CancelResult> {
  flow.releaseRequested = true
  flow.needsEvaluation = true
  return waitForEnd(flow)
}

function objectionTo(flow: FlowContext): string | undefined {
  if (findCompletedBy(flow, 'release') === undefined) return 'The flow keeps no booking that could be released.'
  if (flow.booking !== 'booked') return 'The flow is not booked yet.'
  return isCancelled(flow) ? 'The flow is being cancelled.' : undefined
}
