import { workflowIdOf } from '#contract/terms'
import type { World } from './world.ts'

/** What a flow has lived through, in its newest run. */
export async function eventsOf(world: World, caseNo: string) {
  const { events } = await world.client.workflow.getHandle(workflowIdOf(caseNo)).fetchHistory()
  return events ?? []
}

/** The end of a flow and something that comes for it have crossed; Temporal gives the task again, with what came. */
const crossed = 'UnhandledCommand'

/** Why tasks of the flow failed: each one is a defect that holds the flow up until somebody mends it. */
export async function failedTasks(world: World, caseNo: string): Promise<string[]> {
  const events = await eventsOf(world, caseNo)
  return events
    .flatMap(({ workflowTaskFailedEventAttributes: failed }) =>
      failed ? [failed.failure?.message ?? 'without a word'] : [],
    )
    .filter(why => why !== crossed)
}

/** Everything that is readable in a history, payloads included. */
export async function textOf(world: World, caseNo: string): Promise<string> {
  const decode = (_: string, data: string) => Buffer.from(data, 'base64').toString()
  return JSON.stringify(await eventsOf(world, caseNo)).replaceAll(/"data":"([^"]*)"/g, decode)
}
