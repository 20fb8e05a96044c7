import { Client, isGrpcServiceError, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client'
import type { Logger } from 'pino'
import { createFlowClient, FlowCallError } from '#client'
import { isOpen } from '#client/cases'
import type { ReadDecisionLink } from '#contract'
import { grpcStatuses } from '#contract/terms'
import { type Duration, toWorkflowId } from '#flows'

export interface Decider {
  readonly client: Client
  readonly log: Logger
}

/** The result of a link that was opened by POST. */
export type Decided = 'decided' | 'used' | 'late' | 'unavailable'

/** Milliseconds. A person waits for the page, and may open it again. */
const timeout = 5_000

/**
 * Sends the decision of a link to its flow. Its id is that of the update, so Temporal returns the first outcome to a repetition,
 * and the flow refuses every link of a notification that was answered or is not the last one. The update in the history
 * names the link as its caller, which an audit then finds. Never throws.
 */
export async function decideByLink({ client, log }: Decider, link: ReadDecisionLink): Promise<Decided> {
  const { id, caseNo, decision, by, notification } = link
  const key = `link:${id}`
  const named = new Client({ ...client.options, connection: client.connection, identity: key })
  let outcome: Decided
  let errorCode: string | undefined
  try {
    const earlier = await findEarlier(named, caseNo, key)
    if (earlier.runId === undefined) outcome = earlier.used ? 'used' : 'late'
    else {
      const once = { key, runId: earlier.runId }
      const answer = await createFlowClient(named).decide(
        caseNo,
        { decision, notification, ...(by !== undefined && { by: by as Duration }) },
        { timeout, once },
      )
      outcome = answer.kind === 'Decided' ? 'decided' : 'late'
      errorCode = answer.kind === 'Decided' ? undefined : answer.code
    }
    if (outcome === 'late' && (await wasUsedBefore(named, caseNo, key))) outcome = 'used'
  } catch (error) {
    outcome = 'unavailable'
    errorCode = error instanceof FlowCallError ? error.code : error instanceof Error ? error.name : 'Error'
  }
  const line = { link: id, caseNo, decision, by, outcome, errorCode }
  if (outcome === 'unavailable') log.warn({ logId: 'decision-not-made', ...line }, 'decision by link not made')
  else log.info(line, 'decision by link')
  return outcome
}

interface Earlier {
  readonly used: boolean
  /** The run of the flow, if it can still be decided. */
  readonly runId?: string
}

/** Reads the outcome of an earlier use, so that the page can say so. */
async function findEarlier(client: Client, caseNo: string, key: string): Promise<Earlier> {
  return client.withDeadline(Date.now() + timeout, async () => {
    try {
      const handle = client.workflow.getHandle(toWorkflowId(caseNo))
      const { runId, status } = await handle.describe()
      const use = await findUse(client, caseNo, runId, key)
      return { used: use === 'used', ...(use === undefined && isOpen(status) && { runId }) }
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return { used: false }
      throw error
    }
  })
}

/** True for a link that an earlier run has applied: Temporal knows an update id within one run only. */
async function wasUsedBefore(client: Client, caseNo: string, key: string): Promise<boolean> {
  return client.withDeadline(Date.now() + timeout, async () => {
    for (let runId = await findPredecessor(client, caseNo); runId; runId = await findPredecessor(client, caseNo, runId))
      if ((await findUse(client, caseNo, runId, key)) === 'used') return true
    return false
  })
}

/** The run that continued as the given one, or as the newest one; undefined for the first one, and for one that was deleted. */
async function findPredecessor(client: Client, caseNo: string, runId: string | null = null) {
  try {
    const { history } = await client.workflowService.getWorkflowExecutionHistory({
      namespace: client.options.namespace,
      execution: { workflowId: toWorkflowId(caseNo), runId },
      maximumPageSize: 1,
    })
    return history?.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === grpcStatuses.notFound) return undefined
    throw error
  }
}

/** Undefined for an update that the run does not know. */
async function findUse({ workflow }: Client, caseNo: string, runId: string, key: string) {
  try {
    await workflow.getHandle(toWorkflowId(caseNo), runId).getUpdateHandle(key).result()
    return 'used'
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError) return 'refused'
    if (error instanceof WorkflowNotFoundError) return undefined
    throw error
  }
}
