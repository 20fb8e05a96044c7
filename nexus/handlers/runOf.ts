import { WorkflowNotFoundError } from '@temporalio/client'
import { type WorkflowHandle, WorkflowRunOperationHandler } from '@temporalio/nexus'
import { type CancelOperationContext, HandlerStartOperationResult, type StartOperationContext } from 'nexus-rpc'

const run = new WorkflowRunOperationHandler<WorkflowHandle<unknown>, unknown>(async (_context, handle) => handle)

/** The operation is a run of a workflow, whose end is its result. */
export async function asRun<Result>(
  context: StartOperationContext,
  handle: WorkflowHandle<unknown>,
): Promise<HandlerStartOperationResult<Result>> {
  const { token } = (await run.start(context, handle)) as { readonly token: string }
  return HandlerStartOperationResult.async(token)
}

/** Cancels the run of an operation. One that has ended meanwhile needs none. */
export async function cancelRun(context: CancelOperationContext, token: string): Promise<void> {
  try {
    await run.cancel(context, token)
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
}
