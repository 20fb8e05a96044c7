import { type CancelResult, type CancelUpdate, findCancelFault } from '#flows'
import { type FlowContext, listLeftOver } from '../context.ts'
import { flowFailure } from '../failures.ts'

/** Rejects an update of an ended flow, and the argument of another update. */
export function validate(flow: FlowContext, update: CancelUpdate | null | undefined): void {
  validateNotEnded(flow)
  const fault = findCancelFault(update)
  if (fault !== undefined) throw flowFailure('InvalidFlowInput', fault)
}

/** Rejects an update of an ended flow. */
export function validateNotEnded(flow: FlowContext): void {
  if (flow.hasEnded) throw flowFailure('FlowEnded', 'The flow has ended.')
}

export function handle(flow: FlowContext): Promise<CancelResult> {
  flow.cancelRequested ??= 'cancel'
  return waitForEnd(flow)
}

/** Returns after the clean-up. */
export async function waitForEnd(flow: FlowContext): Promise<CancelResult> {
  // A condition would be cancelled by the Web UI's cancel button, and with it the response.
  if (!flow.hasEnded) await new Promise<void>(resolve => flow.waiters.end.push(resolve))
  return { outcome: flow.result?.outcome ?? 'failed', leftOver: listLeftOver(flow) }
}
