import type { ConnectedTarget, OpenFlow } from './openFlows.ts'

/** The workflow tasks of a flow at one point in time. */
export interface FlowTasks {
  /** True while a task is scheduled or started. */
  readonly isPending: boolean
  /** The events in the history. */
  readonly events: number
}

/** Describes the workflow tasks of a flow. */
export async function describeTasks(
  { connection, namespace }: ConnectedTarget,
  { workflowId, runId }: OpenFlow,
): Promise<FlowTasks> {
  const execution = { workflowId, runId }
  const found = await connection.workflowService.describeWorkflowExecution({ namespace, execution })
  return {
    isPending: Boolean(found.pendingWorkflowTask),
    events: Number(found.workflowExecutionInfo?.historyLength ?? 0),
  }
}

/**
 * Makes Temporal forget which worker has a flow in its cache. The next query or task goes to a worker of the build that
 * the flow has by then.
 */
export async function resetStickiness(
  { connection, namespace }: ConnectedTarget,
  { workflowId, runId }: OpenFlow,
): Promise<void> {
  await connection.workflowService.resetStickyTaskQueue({ namespace, execution: { workflowId, runId } })
}
