import { defaultPayloadConverter, type History, type NativeConnection } from '@temporalio/worker'
import { isOpenRun, toWorkflowId } from '#flows'

/** A running flow, as Temporal's visibility lists it. */
export interface OpenFlow {
  readonly workflowId: string
  readonly runId: string
  /** A pinned flow stays on its build. Any other moves to the current build, an unversioned one too. */
  readonly pinned: boolean
  /** The name of the build that completed its last workflow task; undefined for an unversioned one. */
  readonly build: string | undefined
}

/** The task queue of the open flows. */
export interface ConnectedTarget {
  readonly connection: NativeConnection
  readonly namespace: string
  readonly taskQueue: string
}

/** Temporal's own search attributes of a flow, and the value of a pinned one. */
export const attributes = {
  build: 'TemporalWorkerDeploymentVersion',
  behaviour: 'TemporalWorkflowVersioningBehavior',
  pinned: 'Pinned',
} as const

/** Flows in one response: each has several kilobytes of attributes, and gRPC limits a response to four megabytes. */
const pageSize = 100

/** Calls to Temporal that run at the same time. */
const groupSize = 10

/**
 * Lists the open flows of a task queue, or those of a condition on visibility. Visibility lags, so a flow of the last
 * second may be missing.
 */
export async function openFlows(target: ConnectedTarget, condition?: string): Promise<OpenFlow[]> {
  const { connection, namespace } = target
  const query = [`TaskQueue = ${quote(target.taskQueue)}`, isOpenRun, ...(condition ? [condition] : [])].join(' AND ')
  const flows: OpenFlow[] = []
  for (let nextPageToken: Uint8Array | undefined; nextPageToken?.length !== 0; ) {
    const page = await connection.workflowService.listWorkflowExecutions({
      namespace,
      query,
      pageSize,
      ...(nextPageToken && { nextPageToken }),
    })
    flows.push(...page.executions.map(toOpenFlow))
    nextPageToken = page.nextPageToken
  }
  return flows
}

type Listed = Awaited<ReturnType<NativeConnection['workflowService']['listWorkflowExecutions']>>['executions'][number]

function toOpenFlow({ execution, searchAttributes }: Listed): OpenFlow {
  const read = (name: string) => {
    const payload = searchAttributes?.indexedFields?.[name]
    return payload ? defaultPayloadConverter.fromPayload<string>(payload) : undefined
  }
  return {
    workflowId: execution?.workflowId ?? '',
    runId: execution?.runId ?? '',
    pinned: read(attributes.behaviour) === attributes.pinned,
    build: read(attributes.build),
  }
}

/** A text as a literal of a visibility query. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Calls `work` with each item, some at the same time. Returns the results in order. */
export async function inGroups<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += groupSize) {
    results.push(...(await Promise.all(items.slice(at, at + groupSize).map(work))))
  }
  return results
}

/** Reads the history of an open flow; undefined before its first workflow task. */
export async function findHistory(
  { connection, namespace }: ConnectedTarget,
  flow: OpenFlow,
): Promise<History | undefined> {
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

/** The case number of a flow; for any other workflow its id. */
export function toCaseNo({ workflowId }: Pick<OpenFlow, 'workflowId'>): string {
  const prefix = toWorkflowId('')
  return workflowId.startsWith(prefix) ? workflowId.slice(prefix.length) : workflowId
}
