import { toWorkflowId } from '#flows'
import type { World } from '../world/flowWorld.ts'

/** The events of a flow's newest run. */
export async function eventsOf(world: World, caseNo: string) {
  const { events } = await world.client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
  return events ?? []
}

/** The end of a flow crossed a new event, so Temporal repeats the workflow task with that event. */
const crossed = 'UnhandledCommand'

/** The failures of the flow's workflow tasks. Each one is a defect that blocks the flow until it is fixed. */
export async function failedTasks(world: World, caseNo: string): Promise<string[]> {
  const events = await eventsOf(world, caseNo)
  return events
    .flatMap(({ workflowTaskFailedEventAttributes: failed }) =>
      failed ? [failed.failure?.message ?? 'no message'] : [],
    )
    .filter(why => why !== crossed)
}

/** The readable text of a history, payloads included. */
export async function textOf(world: World, caseNo: string): Promise<string> {
  const decode = (_: string, data: string) => Buffer.from(data, 'base64').toString()
  return JSON.stringify(await eventsOf(world, caseNo)).replaceAll(/"data":"([^"]*)"/g, decode)
}
