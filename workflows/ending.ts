import type { FlowOutcome, FlowResult } from '#flows'
import { type FlowContext, listLeftOver, type PlannedFlow, resume, setState, toFlowShipments } from './context.ts'
import { bookingCancelled, nonRetryable } from './failures.ts'
import { notify } from './notifications/start.ts'
import { publishVisibility } from './visibility/currentDetails.ts'

/** Ends a flow whose result or failure is set. */
export function endFlow(flow: FlowContext): void {
  setState(flow, 'ended')
  resume(flow, 'end')
  publishVisibility(flow)
  notify(flow, 'flow.ended')
}

/** The result of a flow, with the outputs of its declaration. */
export function toResult(flow: PlannedFlow, outcome: FlowOutcome): FlowResult {
  const { plan, shipments } = flow.progress
  const outputs = Object.entries(plan.outputs).map(([name, role]) => [
    name,
    outcome === 'completed' ? (shipments.find(shipment => shipment.role === role)?.shipmentUid ?? null) : null,
  ])
  return {
    flow: plan.flow,
    caseNo: plan.caseNo,
    outcome,
    shipments: toFlowShipments(shipments),
    leftOver: listLeftOver(flow),
    ...Object.fromEntries(outputs),
  }
}

/** @throws ApplicationFailure when the flow failed */
export function requireResult(flow: FlowContext): FlowResult {
  if (flow.result === undefined) throw toFailure(flow)
  return flow.result
}

/** The failure that callers of `waitForBooking` got, with the left-overs in its details. */
function toFailure(flow: FlowContext): Error {
  const failure = typeof flow.booking === 'object' ? flow.booking.failure : bookingCancelled()
  const leftOver = listLeftOver(flow)
  if (leftOver.length === 0) return failure
  const { message, type } = failure
  return nonRetryable({ message, details: [{ leftOver }], ...(type && { type }) })
}
