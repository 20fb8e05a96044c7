import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import { type FlowState, searchAttributes } from '#flows'

/** Milliseconds of the endings that are counted. */
const endingsWithin = 3_600_000

/** Terminated runs that one measurement examines: each of them is a call. */
const maxExamined = 100

/** Endings that an operator looks at. */
export const endings = ['Failed', 'Terminated', 'TimedOut'] as const

const { caseNo, state, overdue } = searchAttributes
const isRunning = "ExecutionStatus = 'Running'"
const isFlow = `${caseNo.name} IS NOT NULL`

/** Running flows by state. A flow without a plan has no state yet. */
const runningQueries: Readonly<Record<Exclude<FlowState, 'ended'>, string>> = {
  booking: `${isFlow} AND (${state.name} IS NULL OR ${state.name} = 'booking') AND ${isRunning}`,
  waiting: `${state.name} = 'waiting' AND ${isRunning}`,
  overdue: `${state.name} = 'overdue' AND ${isRunning}`,
  cleaningUp: `${state.name} = 'cleaningUp' AND ${isRunning}`,
}

export interface FlowCounts {
  readonly running: readonly { readonly state: string; readonly count: number }[]
  readonly overdue: number
  readonly ended: readonly { readonly status: string; readonly count: number }[]
}

/** Counts flows by Temporal's visibility: eight counts, one after the other, and a look at the terminated runs. */
export async function countFlows({ workflow }: Client, now: number = Date.now()): Promise<FlowCounts> {
  const count = async (query: string) => (await workflow.count(query)).count
  const running: FlowCounts['running'][number][] = []
  for (const [name, query] of Object.entries(runningQueries)) running.push({ state: name, count: await count(query) })
  const since = `CloseTime > '${new Date(now - endingsWithin).toISOString()}'`
  const ended: FlowCounts['ended'][number][] = []
  for (const status of endings) {
    const query = `${isFlow} AND ExecutionStatus = '${status}' AND ${since}`
    const resets = status === 'Terminated' ? await countResets(workflow, query) : 0
    ended.push({ status, count: Math.max(0, (await count(query)) - resets) })
  }
  return { running, overdue: await count(`${overdue.name} = true AND ${isRunning}`), ended }
}

/** A reset terminates a run whose flow goes on as another one. Visibility does not tell it from a termination. */
async function countResets(workflow: Client['workflow'], query: string): Promise<number> {
  let [examined, resets] = [0, 0]
  for await (const { workflowId, runId } of workflow.list({ query, pageSize: maxExamined })) {
    if (await isReset(workflow, workflowId, runId)) resets++
    if (++examined === maxExamined) break
  }
  return resets
}

async function isReset(workflow: Client['workflow'], workflowId: string, runId: string): Promise<boolean> {
  try {
    const { raw } = await workflow.getHandle(workflowId, runId).describe()
    return Boolean(raw.workflowExtendedInfo?.resetRunId)
  } catch (error) {
    // Temporal has deleted it meanwhile.
    if (error instanceof WorkflowNotFoundError) return false
    throw error
  }
}

/** Temporal's numbers of the two kinds of task queues that flows need. */
const queueTypes = { workflow: 1, activity: 2 } as const

/** Counts the workers that polled a task queue within the last minutes. */
export async function countPollers(
  { workflowService }: Client,
  namespace: string,
  taskQueue: string,
): Promise<readonly { readonly kind: string; readonly count: number }[]> {
  const counts: { kind: string; count: number }[] = []
  for (const [kind, taskQueueType] of Object.entries(queueTypes)) {
    const { pollers } = await workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: taskQueue },
      taskQueueType,
    })
    counts.push({ kind, count: pollers?.length ?? 0 })
  }
  return counts
}
