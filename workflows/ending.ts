import { type FlowOutcome, type FlowResult, resolveOutputs } from '#flows'
import { type FlowContext, listLeftOver, type PlannedFlow, requirePlanned, resume, setBooking } from './context.ts'
import { bookingCancelled, nonRetryable, requestOf, toFlowFailure } from './failures.ts'
import { notify } from './notifications/start.ts'
import { toValues } from './progress.ts'
import { toFlowShipments } from './status.ts'
import { publishOutcome } from './visibility/searchAttributes.ts'

/** Ends a flow: sets its result or failure, and answers everyone who waits. */
export function endFlow(flow: FlowContext): void {
  const ending = flow.progress?.ending
  if (ending?.outcome === 'failed') {
    flow.failure = toFlowFailure(ending.failure ?? { type: 'InternalError', message: 'The flow failed.' })
  } else if (ending !== undefined && flow.failure === undefined) {
    flow.result = toResult(requirePlanned(flow), ending.outcome)
  }
  const failure = flow.failure ?? (flow.result?.outcome === 'completed' ? undefined : bookingCancelled())
  setBooking(flow, failure === undefined ? 'booked' : { failure })
  flow.hasEnded = true
  resume(flow, 'end')
  publishOutcome(flow, flow.result?.outcome ?? 'failed')
  notify(flow, undefined, 'flow.ended')
}

/**
 * The result of a flow, with the outputs of its declaration; null without a value. A flow that ended early hands no
 * shipments over, but the outputs of its steps are facts: for instance, an account that exists by now.
 */
function toResult(flow: PlannedFlow, outcome: FlowOutcome): FlowResult {
  const { progress } = flow
  const { plan, lockers } = progress
  const outputs = resolveOutputs(
    plan.outputs,
    toValues(outcome === 'completed' ? progress : { ...progress, lockers: { ...lockers, shipments: [] } }),
  )
  return {
    flow: plan.flow,
    caseNo: plan.caseNo,
    outcome,
    shipments: toFlowShipments(lockers.shipments),
    leftOver: listLeftOver(flow),
    ...outputs,
  }
}

/** @throws ApplicationFailure when the flow failed, with the left-overs in its details */
export function requireResult(flow: FlowContext): FlowResult {
  if (flow.result !== undefined) return flow.result
  const failure = flow.failure ?? bookingCancelled()
  const leftOver = listLeftOver(flow)
  if (leftOver.length === 0) throw failure
  const { message, type } = failure
  throw nonRetryable({ message, details: [{ leftOver, ...requestOf(failure) }], ...(type && { type }) })
}
