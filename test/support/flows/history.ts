import { defaultPayloadConverter } from '@temporalio/common'
import { toWorkflowId } from '#flows'
import type { Passing } from '../../../testing/stack/wire.ts'
import type { FlowProgress } from '../../../workflows/progress.ts'
import type { World } from '../world/flowWorld.ts'

/** The events of a flow's newest run. */
export async function eventsOf(world: World, caseNo: string) {
  const { events } = await world.client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
  return events ?? []
}

/** The names of the updates that the newest run of a flow has accepted, in order. */
export async function acceptedUpdates(world: World, caseNo: string): Promise<(string | null | undefined)[]> {
  const accepted = (await eventsOf(world, caseNo)).flatMap(
    event => event.workflowExecutionUpdateAcceptedEventAttributes ?? [],
  )
  return accepted.map(({ acceptedRequest }) => acceptedRequest?.input?.name)
}

/** True if an attempt to book or a workflow task outlasted its time, as on a busy machine. The flow has more events then. */
export async function wasDelayed(world: World, caseNo: string): Promise<boolean> {
  const isCreate = ({ path, body }: Passing) => path.includes('/CreateLocal') && body.includes(caseNo)
  if (world.toService.passings.filter(isCreate).length > 1) return true
  return (await eventsOf(world, caseNo)).some(event => event.workflowTaskTimedOutEventAttributes)
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

/** All runs of a flow that continues as new, with the progress that each one begins with. */
export async function runsOf({ client }: World, caseNo: string) {
  const workflowId = toWorkflowId(caseNo)
  const runs = []
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory()
  let runId = events?.[0]?.workflowExecutionStartedEventAttributes?.firstExecutionRunId
  while (runId) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory()
    const [started, last] = [history.events?.[0], history.events?.at(-1)]
    const [, carried] = started?.workflowExecutionStartedEventAttributes?.input?.payloads ?? []
    const progress = carried && defaultPayloadConverter.fromPayload<FlowProgress>(carried)
    runs.push({ workflowId, history, progress })
    runId = last?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId
  }
  return runs
}
