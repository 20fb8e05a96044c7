import { randomUUID } from 'node:crypto'
import { toWorkflowId } from '#flows'
import { eventually } from '../eventually.ts'
import type { World } from '../world/flowWorld.ts'

/** Temporal's number of updates, of the events that it does not apply again (ResetReapplyExcludeType). */
const updates = 2

interface Options {
  /** By default the newest run. */
  readonly runId?: string
  /** Temporal does not apply the updates again. */
  readonly withoutUpdates?: true
}

/** Resets a run of a flow to its first task, as an operator does: to before its booking, if it continues no run. */
export async function resetToStart(
  world: Pick<World, 'client'>,
  caseNo: string,
  { runId, withoutUpdates }: Options = {},
): Promise<void> {
  const firstTask = await eventually(async () => {
    const { events } = await world.client.workflow.getHandle(toWorkflowId(caseNo), runId).fetchHistory()
    return events?.find(({ workflowTaskCompletedEventAttributes: task }) => task != null)
  })
  await world.client.workflowService.resetWorkflowExecution({
    namespace: world.client.options.namespace,
    workflowExecution: { workflowId: toWorkflowId(caseNo), ...(runId !== undefined && { runId }) },
    reason: 'as an operator would',
    requestId: randomUUID(),
    workflowTaskFinishEventId: firstTask.eventId ?? null,
    ...(withoutUpdates && { resetReapplyExcludeTypes: [updates] }),
  })
}
