import {
  type Client,
  type WorkflowExecutionDescription,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client'
import { toWorkflowId } from '#flows'
import { isEndOfRun } from './calls.ts'
import type { Once } from './types.ts'

/** Temporal's number of the filter for the last event (temporal.api.enums.v1.HistoryEventFilterType). */
const closeEvent = 2

/**
 * Sends an update to the run that the caller saw, or to the first of its successors that has not ended (D-260). Temporal
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
      const next = await findSuccessor(client, workflowId, runId)
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
 * The run that a run continued as, or the newest one that a reset has made of it; undefined for the last one. The newest one
 * also follows the first one when Temporal has deleted that.
 */
async function findSuccessor(client: Client, workflowId: string, runId: string): Promise<string | undefined> {
  const describe = (run?: string) => client.workflow.getHandle(workflowId, run).describe()
  const newest = await describe()
  const ended = await describe(runId).catch(error => {
    if (!(error instanceof WorkflowNotFoundError && firstRunOf(newest) === runId)) throw error
  })
  if (!ended) return newest.runId
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    historyEventFilterType: closeEvent,
  })
  const continuedAs = history?.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId
  if (continuedAs) return continuedAs
  return newest.runId !== runId && firstRunOf(newest) === firstRunOf(ended) ? newest.runId : undefined
}

/** Equal for all runs of an execution, also after a reset. */
function firstRunOf({ raw }: WorkflowExecutionDescription): string | null | undefined {
  return raw.workflowExecutionInfo?.firstRunId
}
