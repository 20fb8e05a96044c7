import type { Client } from '@temporalio/client'
import { type FlowState, isOpenRun, searchAttributes } from '#flows'
import { createEndingRates } from './endedRuns.ts'

/** Milliseconds of the endings that are counted. */
const endingsWithin = 3_600_000

const { caseNo, state, overdue } = searchAttributes
const isFlow = `${caseNo.name} IS NOT NULL`

/** Running flows by state. A flow without a plan has no state yet. */
const runningQueries: Readonly<Record<Exclude<FlowState, 'ended'>, string>> = {
  booking: `${isFlow} AND (${state.name} IS NULL OR ${state.name} = 'booking') AND ${isOpenRun}`,
  waiting: `${state.name} = 'waiting' AND ${isOpenRun}`,
  overdue: `${state.name} = 'overdue' AND ${isOpenRun}`,
  cleaningUp: `${state.name} = 'cleaningUp' AND ${isOpenRun}`,
}

/** Temporal sets this attribute after several failures in a row, and removes it after a task that succeeds. */
const failingTasks = `${isFlow} AND TemporalReportedProblems IS NOT NULL AND ${isOpenRun}`

export interface FlowCounts {
  readonly running: readonly { readonly state: string; readonly count: number }[]
  readonly overdue: number
  /** Running flows whose workflow tasks fail again and again. */
  readonly failingTasks: number
  /** By Temporal's status, with `Refused` for flows that failed by a refusal. */
  readonly ended: readonly { readonly status: string; readonly count: number }[]
}

/**
 * Returns a function that counts flows by Temporal's visibility: nine counts, one after the other, and a list of the failed and
 * one of the terminated runs.
 */
export function createFlowCounter(client: Client): (now?: number) => Promise<FlowCounts> {
  const sharesOfFailed = createEndingRates(client)
  const sharesOfTerminated = createEndingRates(client)
  const count = async (query: string) => (await client.workflow.count(query)).count
  return async (now = Date.now()) => {
    const running: FlowCounts['running'][number][] = []
    for (const [name, query] of Object.entries(runningQueries)) running.push({ state: name, count: await count(query) })
    const since = `CloseTime > '${new Date(now - endingsWithin).toISOString()}'`
    const ended = (status: string) => `${isFlow} AND ExecutionStatus = '${status}' AND ${since}`
    const failed = await count(ended('Failed'))
    const ofFailed = await sharesOfFailed(ended('Failed'))
    const terminated = await count(ended('Terminated'))
    const ofTerminated = await sharesOfTerminated(ended('Terminated'))
    return {
      running,
      overdue: await count(`${overdue.name} = true AND ${isOpenRun}`),
      failingTasks: await count(failingTasks),
      ended: [
        { status: 'Failed', count: Math.round(failed * ofFailed.other) },
        { status: 'Refused', count: Math.round(failed * ofFailed.refused) },
        { status: 'Terminated', count: Math.round(terminated * ofTerminated.other) },
        { status: 'TimedOut', count: await count(ended('TimedOut')) },
      ],
    }
  }
}
