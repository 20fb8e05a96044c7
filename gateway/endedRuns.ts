import type { Client } from '@temporalio/client'
import { type Run, readLastEvent } from '#client/cases'
import { operations } from '#contract'

/** Ended runs of a query that are examined. */
const maxExamined = 100

/** Runs that are examined at a time: each of them is a call. */
const concurrency = 10

/**
 * Returns a function that tells for which share of the ended runs of a query a condition holds, from 0 to 1. It examines the newest
 * hundred runs, each until its result is final, also if a call fails meanwhile.
 * @param isFinal for a result that cannot change any more; by default any result
 */
export function createShareOf(
  client: Client,
  holds: (client: Client, run: Run) => Promise<boolean>,
  isFinal: (result: boolean) => boolean = () => true,
): (query: string) => Promise<number> {
  const known = new Map<string, boolean>()
  const examine = async (run: Run) => known.set(run.runId, await holds(client, run))
  return async query => {
    const newest = await listNewest(client, query)
    const isNewest = new Set(newest.map(({ runId }) => runId))
    for (const runId of known.keys()) if (!isNewest.has(runId)) known.delete(runId)
    const open = newest.filter(({ runId }) => {
      const result = known.get(runId)
      return result === undefined || !isFinal(result)
    })
    for (let at = 0; at < open.length; at += concurrency)
      await Promise.all(open.slice(at, at + concurrency).map(examine))
    return newest.filter(({ runId }) => known.get(runId)).length / Math.max(1, newest.length)
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
 * start again later. Any other failure is a fault, which an operator looks at.
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
