import { type Client, type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client'
import type { ListedCase } from '#client'
import { toWorkflowId } from '#flows'

export interface RunEnd {
  /** How the run ended, if its workflow code did not learn of it: its status stays the last one. */
  readonly endedFromOutside: string | null
}

const ends: Readonly<Record<string, string>> = { TERMINATED: 'terminated', TIMED_OUT: 'timed out' }

/** Descriptions that are read at a time. */
const concurrency = 10

export function endFromOutside({ status }: WorkflowExecutionDescription): string | null {
  return ends[status.name] ?? null
}

/** Adds how the failed flows of a list ended. The client tells only that they failed. */
export async function withEnds(client: Client, cases: readonly ListedCase[]): Promise<(ListedCase & RunEnd)[]> {
  const found = new Map<string, string | null>()
  const failed = cases.filter(each => each.failed)
  for (let at = 0; at < failed.length; at += concurrency) {
    const some = failed.slice(at, at + concurrency)
    const read = await Promise.all(some.map(({ caseNo, runId }) => describe(client, caseNo, runId)))
    for (const [index, { runId }] of some.entries()) found.set(runId, read[index] ? endFromOutside(read[index]) : null)
  }
  return cases.map(each => ({ ...each, endedFromOutside: found.get(each.runId) ?? null }))
}

/** The description of a flow; undefined if Temporal does not have it, or has deleted it since. */
export function describe(
  { workflow }: Client,
  caseNo: string,
  runId?: string,
): Promise<WorkflowExecutionDescription | undefined> {
  return workflow
    .getHandle(toWorkflowId(caseNo), runId)
    .describe()
    .catch(error => {
      if (error instanceof WorkflowNotFoundError) return undefined
      throw error
    })
}
