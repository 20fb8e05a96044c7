import type { Client } from '@temporalio/client'
import { isReset, type Run, readLastEvent } from '#client/cases'
import { operations } from '#contract'

/** Ended runs of a query that are examined. */
const maxExamined = 100

/** Runs that are examined at a time: each of them is a call. */
const concurrency = 10

/** The ending of a run that did not complete, more exactly than Temporal's status. */
export type Ending = 'refused' | 'reset' | 'other'

/**
 * Returns a function that computes which shares of the ended runs of a query were refused or reset, from 0 to 1. It
 * examines the newest hundred runs, each once, even if a call fails meanwhile. An operator can reset any of the others
 * later, so they are examined again.
 */
export function createEndingRates(client: Client): (query: string) => Promise<Readonly<Record<Ending, number>>> {
  const known = new Map<string, Ending>()
  const examine = async (run: Run) => {
    const isNew = !known.has(run.runId)
    if (isNew && (await isRefused(client, run))) known.set(run.runId, 'refused')
    else known.set(run.runId, (await isReset(client, run)) ? 'reset' : 'other')
  }
  return async query => {
    const newest = await listNewest(client, query)
    const isNewest = new Set(newest.map(({ runId }) => runId))
    for (const runId of known.keys()) if (!isNewest.has(runId)) known.delete(runId)
    const open = newest.filter(({ runId }) => (known.get(runId) ?? 'other') === 'other')
    for (let at = 0; at < open.length; at += concurrency)
      await Promise.all(open.slice(at, at + concurrency).map(examine))
    const shareOf = (ending: Ending) =>
      newest.filter(({ runId }) => known.get(runId) === ending).length / Math.max(1, newest.length)
    const [refused, reset] = [shareOf('refused'), shareOf('reset')]
    // Visibility can count a run before it lists it.
    return { refused, reset, other: 1 - refused - reset }
  }
}

async function listNewest({ workflow }: Client, query: string): Promise<readonly Run[]> {
  const newest: Run[] = []
  for await (const { workflowId, runId } of workflow.list({ query, pageSize: maxExamined })) {
    newest.push({ workflowId, runId })
    if (newest.length === maxExamined) break
  }
  return newest
}

/**
 * Codes with which the service refuses a request, or the flow its input. The caller has the code, and can correct the request or
 * start again later. Any other failure is a fault for an operator.
 */
const refusals: ReadonlySet<string> = new Set([
  ...Object.values(operations).flatMap(({ errors }) => errors),
  ...['InvalidRequest', 'InvalidFlowInput', 'UnknownFlow', 'BookingCancelled'],
])

/** True if a failed run ended with a refusal. */
export async function isRefused(client: Client, run: Run): Promise<boolean> {
  const failure = (await readLastEvent(client, run))?.workflowExecutionFailedEventAttributes?.failure
  return refusals.has(failure?.applicationFailureInfo?.type ?? '')
}
