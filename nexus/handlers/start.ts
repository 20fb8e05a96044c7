import { HandlerStartOperationResult, type OperationHandler } from 'nexus-rpc'
import type { ResultOf } from '#client'
import type { FlowDeclaration } from '#flows/declaration'
import type { StartFlowInput } from '#nexus'
import { withHandlerErrors } from './failures.ts'
import { checkStart } from './input.ts'
import { asRun, cancelRun } from './runOf.ts'
import { startFlow } from './startFlow.ts'

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
