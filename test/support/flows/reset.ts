import { randomUUID } from 'node:crypto'
import { toWorkflowId } from '#flows'
import type { World } from '../world/flowWorld.ts'
import { eventsOf } from './history.ts'

/** Resets a flow to before its booking, as an operator does. */
export async function resetToStart(world: World, caseNo: string): Promise<void> {
  const events = await eventsOf(world, caseNo)
  const firstTask = events.find(({ workflowTaskCompletedEventAttributes: task }) => task != null)
  await world.client.workflowService.resetWorkflowExecution({
    namespace: world.client.options.namespace,
    workflowExecution: { workflowId: toWorkflowId(caseNo) },
    reason: 'as an operator would',
    requestId: randomUUID(),
    workflowTaskFinishEventId: firstTask?.eventId ?? null,
  })
}
