import { defaultPayloadConverter, type History, type NativeConnection } from '@temporalio/worker'
import { workflowIdOf } from '#contract/terms'

/** A flow that has not ended, as Temporal's visibility knows it. */
export interface OpenFlow {
  readonly workflowId: string
  readonly runId: string
  /** It stays on its build; any other moves to the build that is current, also one that has no build yet. */
  readonly pinned: boolean
  /** The name of the build that did its last task; undefined for one without. */
  readonly build: string | undefined
}

/** Where open flows are looked for. */
export interface Place {
  readonly connection: NativeConnection
  readonly namespace: string
  readonly taskQueue: string
}

/** Temporal's own search attributes of a flow, and its word for the behaviour. */
const attributes = {
  build: 'TemporalWorkerDeploymentVersion',
  behaviour: 'TemporalWorkflowVersioningBehavior',
  pinned: 'Pinned',
} as const

const pageSize = 1_000

/** Every open flow of a task queue. One that began in the last moments may be missing: visibility is a little late. */
export async function openFlows({ connection, namespace, taskQueue }: Place): Promise<OpenFlow[]> {
  const found: OpenFlow[] = []
  const query = `TaskQueue = '${taskQueue.replaceAll("'", "''")}' AND ExecutionStatus = 'Running'`
  for (let nextPageToken: Uint8Array | undefined; nextPageToken?.length !== 0; ) {
    const page = await connection.workflowService.listWorkflowExecutions({
      namespace,
      query,
      pageSize,
      ...(nextPageToken && { nextPageToken }),
    })
    for (const { execution, searchAttributes } of page.executions) {
      const read = (name: string) => {
        const payload = searchAttributes?.indexedFields?.[name]
        return payload ? defaultPayloadConverter.fromPayload<string>(payload) : undefined
      }
      found.push({
        workflowId: execution?.workflowId ?? '',
        runId: execution?.runId ?? '',
        pinned: read(attributes.behaviour) === attributes.pinned,
        build: read(attributes.build),
      })
    }
    nextPageToken = page.nextPageToken
  }
  return found
}

/** What an open flow has lived through; undefined before it has done anything. */
export async function historyOf({ connection, namespace }: Place, flow: OpenFlow): Promise<History | undefined> {
  const { workflowId, runId } = flow
  const events: NonNullable<History['events']> = []
  for (let nextPageToken: Uint8Array | undefined; nextPageToken?.length !== 0; ) {
    const page = await connection.workflowService.getWorkflowExecutionHistory({
      namespace,
      execution: { workflowId, runId },
      ...(nextPageToken && { nextPageToken }),
    })
    events.push(...(page.history?.events ?? []))
    nextPageToken = page.nextPageToken
  }
  return events.some(event => event.workflowTaskCompletedEventAttributes) ? { events } : undefined
}

/** The case number of a flow; of any other workflow its id. */
export function caseOf({ workflowId }: Pick<OpenFlow, 'workflowId'>): string {
  const prefix = workflowIdOf('')
  return workflowId.startsWith(prefix) ? workflowId.slice(prefix.length) : workflowId
}
