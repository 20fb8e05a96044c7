import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import { operations } from '#contract'

/** Ended runs that one measurement examines: each of them is a call when it is examined first. */
const maxExamined = 100

interface Run {
  readonly workflowId: string
  readonly runId: string
}

/**
 * Returns a function that tells for which share of the ended runs of a query a condition holds, from 0 to 1. It examines the newest
 * hundred runs. An ended run does not change, so each is examined once.
 */
export function createShareOf(
  client: Client,
  holds: (client: Client, run: Run) => Promise<boolean>,
): (query: string) => Promise<number> {
  let known = new Map<string, boolean>()
  return async query => {
    const examined = new Map<string, boolean>()
    for await (const { workflowId, runId } of client.workflow.list({ query, pageSize: maxExamined })) {
      examined.set(runId, known.get(runId) ?? (await holds(client, { workflowId, runId }).catch(notDeleted)))
      if (examined.size === maxExamined) break
    }
    known = examined
    return [...examined.values()].filter(Boolean).length / Math.max(1, examined.size)
  }
}

/** Temporal deletes ended runs, also between the list and the call. */
function notDeleted(error: unknown): false {
  if (error instanceof WorkflowNotFoundError) return false
  throw error
}

/** A reset terminates a run whose flow goes on as another one. Visibility does not tell it from a termination. */
export async function isReset({ workflow }: Client, { workflowId, runId }: Run): Promise<boolean> {
  const { raw } = await workflow.getHandle(workflowId, runId).describe()
  return Boolean(raw.workflowExtendedInfo?.resetRunId)
}

/**
 * Codes with which the service refuses a request, or the flow its input. The caller has the code, and can correct the request or
 * start again later. Any other failure is a fault, which an operator looks at.
 */
const refusals: ReadonlySet<string> = new Set([
  ...Object.values(operations).flatMap(({ errors }) => errors),
  ...['InvalidRequest', 'InvalidFlowInput', 'UnknownFlow', 'BookingCancelled'],
])

/** Temporal's number of the filter for the last event of a history. */
const closeEvent = 2

/** True if a failed run ended with a refusal. */
export async function isRefused({ workflowService, options }: Client, execution: Run): Promise<boolean> {
  const { history } = await workflowService.getWorkflowExecutionHistory({
    namespace: options.namespace,
    execution,
    historyEventFilterType: closeEvent,
  })
  const failure = history?.events?.at(-1)?.workflowExecutionFailedEventAttributes?.failure
  return refusals.has(failure?.applicationFailureInfo?.type ?? '')
}
