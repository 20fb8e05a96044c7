import { randomUUID } from 'node:crypto'
import { workflowIdOf } from '#contract/terms'
import { eventsOf } from './history.ts'
import type { World } from './world.ts'

/** Sets a flow back to before its booking, as an operator would. */
export async function resetToStart(world: World, caseNo: string): Promise<void> {
  const events = await eventsOf(world, caseNo)
  const firstTask = events.find(({ workflowTaskCompletedEventAttributes: task }) => task != null)
  await world.client.workflowService.resetWorkflowExecution({
    namespace: world.client.options.namespace,
    workflowExecution: { workflowId: workflowIdOf(caseNo) },
    reason: 'as an operator would',
    requestId: randomUUID(),
    workflowTaskFinishEventId: firstTask?.eventId ?? null,
  })
}
