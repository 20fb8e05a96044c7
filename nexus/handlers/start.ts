import { WorkflowNotFoundError } from '@temporalio/client'
import { type WorkflowHandle, WorkflowRunOperationHandler } from '@temporalio/nexus'
import {
  type CancelOperationContext,
  HandlerStartOperationResult,
  type OperationHandler,
  type StartOperationContext,
} from 'nexus-rpc'
import type { ResultOf } from '#client'
import type { FlowDeclaration } from '#flows/declaration'
import type { StartFlowInput } from '#nexus'
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
    cancel: cancelRun,
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

/** Cancels the run of an operation. One that has ended meanwhile needs none. */
export async function cancelRun(context: CancelOperationContext, token: string): Promise<void> {
  try {
    await run.cancel(context, token)
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
}
