import type { Client } from '@temporalio/client'
import { isReset } from '#client/cases'
import { type FlowState, searchAttributes } from '#flows'
import { createShareOf, isRefused } from './endedRuns.ts'

/** Milliseconds of the endings that are counted. */
const endingsWithin = 3_600_000

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
  /** By Temporal's status, with `Refused` for flows that failed by a refusal. */
  readonly ended: readonly { readonly status: string; readonly count: number }[]
}

/**
 * Returns a function that counts flows by Temporal's visibility: eight counts, one after the other, and a look at the failed and the
 * terminated runs.
 */
export function createFlowCounter(client: Client): (now?: number) => Promise<FlowCounts> {
  const shareOfRefused = createShareOf(client, isRefused)
  const shareOfResets = createShareOf(client, isReset)
  const count = async (query: string) => (await client.workflow.count(query)).count
  return async (now = Date.now()) => {
    const running: FlowCounts['running'][number][] = []
    for (const [name, query] of Object.entries(runningQueries)) running.push({ state: name, count: await count(query) })
    const since = `CloseTime > '${new Date(now - endingsWithin).toISOString()}'`
    const ended = (status: string) => `${isFlow} AND ExecutionStatus = '${status}' AND ${since}`
    const failed = await count(ended('Failed'))
    const refused = Math.round(failed * (await shareOfRefused(ended('Failed'))))
    const terminated = await count(ended('Terminated'))
    const resets = Math.round(terminated * (await shareOfResets(ended('Terminated'))))
    return {
      running,
      overdue: await count(`${overdue.name} = true AND ${isRunning}`),
      ended: [
        { status: 'Failed', count: failed - refused },
        { status: 'Refused', count: refused },
        { status: 'Terminated', count: terminated - resets },
        { status: 'TimedOut', count: await count(ended('TimedOut')) },
      ],
    }
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
