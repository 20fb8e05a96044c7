import type { Client, WorkflowHandle } from '@temporalio/client'
import { describeRun } from '#client/cases'
import { toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { deadlineAfter, isTimeout, toResult, withSignal } from './calls.ts'
import { FlowCallError, findMissingResponse } from './causes.ts'
import type { NameOf } from './flowTypes.ts'
import type { Ended, EndPending, Refused, UnknownCase } from './results.ts'
import type { EndOptions, FlowWorkflow } from './types.ts'

export interface EndTarget<Name extends NameOf<Own>, Own extends FlowDeclaration> {
  readonly client: Client
  readonly taskQueue: string
  readonly handle: WorkflowHandle<FlowWorkflow<Name, Own>>
}

/** Implements `FlowClient.waitForEnd`. */
export async function waitForEnd<Name extends NameOf<Own>, Own extends FlowDeclaration>(
  { client, taskQueue, handle }: EndTarget<Name, Own>,
  caseNo: string,
  { signal, timeout }: EndOptions,
): Promise<Ended<Name, Own> | EndPending | Refused | UnknownCase> {
  const result = () => handle.result()
  const deadline = timeout === undefined ? undefined : deadlineAfter(timeout)
  const limited = deadline === undefined ? result : () => client.withDeadline(deadline, result)
  try {
    for (;;) {
      const ended = await toResult(client, caseNo, async () => ({
        kind: 'Ended' as const,
        result: await withSignal(client, signal, limited),
      }))
      // A reset terminates the run, and the flow goes on in another one, which may be over.
      const isTerminated = ended.kind === 'Refused' && ended.code === 'FlowTerminated'
      if (!isTerminated || (await isOver(client, caseNo))) return ended
    }
  } catch (error) {
    if (timeout === undefined || !isTimeout(error)) throw error
    const reason = await findMissingResponse(client, caseNo, taskQueue)
    if (reason.code === 'TemporalUnreachable') throw new FlowCallError(reason, error)
    return { kind: 'EndPending', caseNo, ...reason }
  }
}

/** True if the newest run was ended from outside too, or is deleted. */
async function isOver(client: Client, caseNo: string): Promise<boolean> {
  const run = await describeRun(client, toWorkflowId(caseNo))
  return run === undefined || ['TERMINATED', 'TIMED_OUT'].includes(run.status.name)
}
