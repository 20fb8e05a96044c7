import {
  isGrpcServiceError,
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
} from '@temporalio/client'
import { getClient, operationInfo, startWorkflow, type WorkflowHandle } from '@temporalio/nexus'
import type { StartOperationContext } from 'nexus-rpc'
import { findCase, isSameCase, readResult } from '#client/cases'
import { toCaseInUse, toStartOptions } from '#client/start'
import { grpcStatuses, withReference } from '#contract/terms'
import type { FlowResult } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { refuse } from './failures.ts'
import type { CheckedStart } from './input.ts'

/** The statuses by which versions of Temporal refuse a callback. */
const refusedCallback: readonly number[] = [grpcStatuses.invalidArgument, grpcStatuses.failedPrecondition]

/** The flow runs, or its case had completed before. */
export type StartedFlow = { readonly handle: WorkflowHandle<unknown> } | { readonly result: FlowResult }

/**
 * Starts a flow as the client does, with links in both histories. The same case again, even by another operation, attaches
 * the operation to the flow that runs.
 * @param context whose callback, if it has one, gets the result of the flow
 * @throws OperationError with CaseInUse, or with TemporalLimitReached if Temporal attaches no more operations to the flow
 */
export async function startFlow(
  context: StartOperationContext,
  declared: Readonly<Record<string, FlowDeclaration>>,
  checked: CheckedStart,
): Promise<StartedFlow> {
  const { flow, input } = checked
  const client = getClient()
  const { taskQueue } = operationInfo()
  const options = toStartOptions({ taskQueue, declaration: declared[flow], compares: false }, flow, input)
  try {
    return { handle: await startWorkflow(context, flow, options) }
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
  }
  const known = await findCase(client, input.caseNo)
  // The namespace's retention deleted the closed workflow in between.
  if (known === undefined) return startFlow(context, declared, checked)
  if (!isSameCase(known, flow, input.request)) throw refuse(toCaseInUse(known, flow, input))
  if (known.status === 'COMPLETED') return { result: await readResult(client, input.caseNo, known) }
  try {
    // Only now: an operation that is attached to the flow of another request would get its result.
    const attached = { ...options, workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING }
    return { handle: await startWorkflow(context, flow, attached) }
  } catch (error) {
    // The flow has completed meanwhile.
    if (error instanceof WorkflowExecutionAlreadyStartedError) return startFlow(context, declared, checked)
    const { cause } = error instanceof ServiceError ? error : {}
    if (!isGrpcServiceError(cause) || !refusedCallback.includes(cause.code)) throw error
    // The connection that a worker lends has no details.
    throw refuse(toLimitReached(cause.message))
  }
}

/** A refusal, although the flow goes on: Temporal keeps a place until the flow ends, so retried attempts would fail too. */
function toLimitReached(reason: string) {
  const code = 'TemporalLimitReached'
  const advice = 'Read the status of the flow. When it has completed, `start` returns its result.'
  const message = `Temporal attaches no more operations to the flow: ${reason}. ${advice}`
  return { code, message: withReference(code, message) }
}
