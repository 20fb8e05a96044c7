import type { CancelResult } from '#flows'
import { type FlowContext, isCancelled } from '../context.ts'
import { flowFailure } from '../failures.ts'
import { haveReached } from '../lockers/states.ts'
import { isIn } from '../progress.ts'
import { rootOf } from '../tokens.ts'
import { validateNotEnded, waitForEnd } from './cancel.ts'
import { findCompletedBy } from './completedBy.ts'

/** Rejects a flow that keeps no booking, has not come to the step that keeps it, has its end already, or is cancelled. */
export function validate(flow: FlowContext): void {
  validateNotEnded(flow)
  const objection = objectionTo(flow)
  if (objection !== undefined) throw flowFailure('NothingToRelease', objection)
}

/** Requests the end of the kept booking; returns after the clean-up. */
export function handle(flow: FlowContext): Promise<CancelResult> {
  flow.released ??= findCompletedBy(flow, 'release')?.role
  flow.needsEvaluation = true
  return waitForEnd(flow)
}

function objectionTo(flow: FlowContext): string | undefined {
  const { progress } = flow
  const kept = findCompletedBy(flow, 'release')
  if (kept === undefined) return 'The flow keeps no booking that could be released.'
  if (kept.shipment === undefined || progress === undefined) return 'The flow is not booked yet.'
  // A release ends the flow: earlier, other bookings can be open.
  if (!isIn(progress, rootOf(progress), kept.step)) return `The flow has not come to the step ${kept.step.name}.`
  // A release that is repeated waits for the end too.
  if (progress.ending !== undefined && progress.ending.released === undefined) return 'The flow is being ended.'
  if (haveReached(kept.step.reached, progress)) return 'The kept booking has ended already.'
  return isCancelled(flow) ? 'The flow is being cancelled.' : undefined
}
