import { WorkflowIdConflictPolicy } from '@temporalio/client'
import { getClient, operationInfo, startWorkflow } from '@temporalio/nexus'
import { HandlerStartOperationResult, type OperationHandler } from 'nexus-rpc'
import { createFlowClient } from '#client'
import type { BookedFlow, StartFlowInput } from '#client/nexus'
import { withReference } from '#contract/terms'
import { toBookingId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { refuse, withHandlerErrors } from './failures.ts'
import { checkStart } from './input.ts'
import { asRun, cancelRun } from './start.ts'
import { startFlow } from './startFlow.ts'

/** Most bookings take less. Temporal gives the whole handler ten seconds. Milliseconds. */
const bookedWithin = 3_000

/** How the ids of `toBookingId` begin. */
const bookingIds = 'booking:'

const flowEnded = { code: 'FlowEnded', message: withReference('FlowEnded', 'The flow has ended.') }

/**
 * Starts a flow and waits for its booking: for a moment in the handler, and then in a workflow, since Temporal allows
 * a handler ten seconds. An operation on an update of the flow would do the same, and is experimental in the SDK.
 */
export function bookHandler(
  declared: Readonly<Record<string, FlowDeclaration>>,
): OperationHandler<StartFlowInput, BookedFlow> {
  return {
    start: (context, given) =>
      withHandlerErrors(async () => {
        const checked = checkStart(declared, given)
        const { caseNo } = checked.input
        // Without the callback: the flow ends long after the operation.
        const { callbackUrl: _url, callbackHeaders: _headers, ...linked } = context
        const started = await startFlow(linked, declared, checked)
        // A shipment that the flow has left over holds its item, and may still be active.
        if ('result' in started && started.result.outcome !== 'completed') throw refuse(flowEnded)
        const { taskQueue } = operationInfo()
        const flows = createFlowClient(getClient(), { taskQueue })
        const key = toBookingId(caseNo, context.requestId)
        const answer = await flows.waitForBooking(caseNo, { timeout: bookedWithin, key })
        if (answer.kind === 'Refused' || answer.kind === 'UnknownCase') throw refuse(answer)
        if (answer.kind === 'Booked') {
          const { kind: _kind, ...booked } = answer
          return HandlerStartOperationResult.sync(booked)
        }
        const waiting = await startWorkflow(context, 'booking', {
          workflowId: key,
          taskQueue,
          args: [{ caseNo, key }],
          staticSummary: `waits for the booking of ${caseNo}`,
          workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
        })
        return asRun<BookedFlow>(context, waiting)
      }),
    cancel: (_context, token) => cancelRun(token, workflowId => workflowId.startsWith(bookingIds)),
  }
}
