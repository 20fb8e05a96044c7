import { randomUUID } from 'node:crypto'
import { toWorkflowId } from '#flows'
import { eventually } from '../eventually.ts'
import type { World } from '../world/flowWorld.ts'

/** Resets the newest run of a flow to its first task, as an operator does: to before its booking, if it continues no run. */
export async function resetToStart(world: World, caseNo: string): Promise<void> {
  const firstTask = await eventually(async () => {
    const { events } = await world.client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
    return events?.find(({ workflowTaskCompletedEventAttributes: task }) => task != null)
  })
  await world.client.workflowService.resetWorkflowExecution({
    namespace: world.client.options.namespace,
    workflowExecution: { workflowId: toWorkflowId(caseNo) },
    reason: 'as an operator would',
    requestId: randomUUID(),
    workflowTaskFinishEventId: firstTask.eventId ?? null,
  })
}
