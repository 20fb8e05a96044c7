import { WorkflowNotFoundError } from '@temporalio/client'
import { getClient, operationInfo, type WorkflowHandle, WorkflowRunOperationHandler } from '@temporalio/nexus'
import { HandlerError, HandlerStartOperationResult, type OperationHandler, type StartOperationContext } from 'nexus-rpc'
import type { ResultOf } from '#client'
import type { StartFlowInput } from '#client/nexus'
import { findCaseNo } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { withHandlerErrors } from './failures.ts'
import { checkStart } from './input.ts'
import { startFlow } from './startFlow.ts'

const run = new WorkflowRunOperationHandler<WorkflowHandle<unknown>, unknown>(async (_context, handle) => handle)

/** Runs a flow as the operation. A case that has completed returns its result at once. */
export function startHandler(
  declared: Readonly<Record<string, FlowDeclaration>>,
): OperationHandler<StartFlowInput, ResultOf> {
  return {
    start: (context, given) =>
      withHandlerErrors(async () => {
        const started = await startFlow(context, declared, checkStart(declared, given))
        if ('handle' in started) return asRun<ResultOf>(context, started.handle)
        return HandlerStartOperationResult.sync(started.result as unknown as ResultOf)
      }),
    // The flow cleans up and ends with the outcome `cancelled`, which is then the result of the operation.
    cancel: (_context, token) => cancelRun(token, workflowId => findCaseNo(workflowId) !== undefined),
  }
}

/** The operation is a run of a workflow, whose end is its result. */
export async function asRun<Result>(
  context: StartOperationContext,
  handle: WorkflowHandle<unknown>,
): Promise<HandlerStartOperationResult<Result>> {
  const { token } = (await run.start(context, handle)) as { readonly token: string }
  return HandlerStartOperationResult.async(token)
}

/**
 * Cancels the run of an operation. One that has ended meanwhile needs none. A caller by HTTP can write any token, so it must name
 * a workflow that the operation can have started.
 * @throws HandlerError for another token
 */
export async function cancelRun(token: string, isRun: (workflowId: string) => boolean): Promise<void> {
  const { ns, wid } = readToken(token)
  if (ns !== operationInfo().namespace || typeof wid !== 'string' || !isRun(wid))
    throw new HandlerError('NOT_FOUND', 'The token must be that of an operation of this service.')
  try {
    await withHandlerErrors(() => getClient().workflow.getHandle(wid).cancel())
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
}

/** The namespace and the workflow id in a token of Temporal's SDK. */
function readToken(token: string): { readonly ns?: unknown; readonly wid?: unknown } {
  try {
    return Object(JSON.parse(Buffer.from(token, 'base64url').toString()))
  } catch {
    return {}
  }
}
