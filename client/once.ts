import {
  type Client,
  type WorkflowExecutionDescription,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client'
import { describeRun, type Run, readLastEvent } from '#client/cases'
import { toWorkflowId } from '#flows'
import { isEndOfRun } from './calls.ts'
import type { Once } from './types.ts'

/**
 * Sends an update to the run that the caller saw, or to the first of its successors that has not ended. Temporal
 * knows an update id within one run, so a run that has ended is asked for its outcome before the update goes to the next.
 * @throws WorkflowNotFoundError when the last run has ended without the update
 */
export async function sendOnce<Response>(
  client: Client,
  caseNo: string,
  { key, runId: first }: Once,
  send: (handle: WorkflowHandle) => Promise<Response>,
): Promise<Response> {
  const workflowId = toWorkflowId(caseNo)
  for (let runId = first; ; ) {
    const handle = client.workflow.getHandle(workflowId, runId)
    try {
      return await send(handle)
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError || isEndOfRun(error))) throw error
      const earlier = await findOutcome<Response>(handle, key)
      if (earlier !== undefined) return earlier.response
      const next = await findSuccessor(client, first, { workflowId, runId })
      if (next === undefined) throw error
      runId = next
    }
  }
}

/** The response of an update that a run accepted; undefined if it has none of this id. */
async function findOutcome<Response>(
  handle: WorkflowHandle,
  key: string,
): Promise<{ readonly response: Response } | undefined> {
  try {
    return { response: await handle.getUpdateHandle<Response>(key).result() }
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || isEndOfRun(error)) return undefined
    throw error
  }
}

/**
 * The run that a run continued as, or the newest one that a reset has made of it; undefined for the last one.
 * The newest one also follows a deleted run.
 * @param first the run that the caller saw
 */
async function findSuccessor(client: Client, first: string, run: Run): Promise<string | undefined> {
  const newest = await client.workflow.getHandle(run.workflowId).describe()
  const last = await readLastEvent(client, run)
  const continuedAs = last?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId
  if (continuedAs) return continuedAs
  const origin = await describeRun(client, run.workflowId, first)
  const isSuccessor = newest.runId !== run.runId && firstRunOf(newest) === (origin ? firstRunOf(origin) : first)
  return isSuccessor ? newest.runId : undefined
}

/** Equal for all runs of an execution, even after a reset. */
function firstRunOf({ raw }: WorkflowExecutionDescription): string | null | undefined {
  return raw.workflowExecutionInfo?.firstRunId
}
