import { Client, WorkflowNotFoundError } from '@temporalio/client'
import { getClient, operationInfo } from '@temporalio/nexus'
import type { StartOperationContext, SyncOperationHandler } from 'nexus-rpc'
import { type Cancelled, type CancelPending, createFlowClient, type FlowClient } from '#client'
import type { CancelFlowInput, CaseInput, DecideFlowInput } from '#client/nexus'
import { type FlowStatus, toWorkflowId } from '#flows'
import { refuse, withHandlerErrors } from './failures.ts'
import { checkCaseNo, checkDecision, checkReason } from './input.ts'

/** The rest of the handler's time is for the search for the cause, and for the link. Milliseconds. */
const timeout = 6_000

/** Temporal limits ids to 1,000 characters, and the audit log shows an identity in a line. */
const maxIdentity = 500

const unknownCaller = 'nexus:unknown'

const workflowLink = 'temporal.api.common.v1.Link.WorkflowEvent'

export const statusHandler: SyncOperationHandler<CaseInput, FlowStatus> = (context, given) =>
  withFlow(context, given, async (flows, caseNo) => {
    const answer = await flows.status(caseNo)
    if (answer.kind !== 'Status') throw refuse(answer)
    return answer.status
  })

/** A flow that has ended returns its end: a first attempt of the operation may have cancelled it. */
export const cancelHandler: SyncOperationHandler<CancelFlowInput, Cancelled | CancelPending> = (context, given) =>
  withFlow(context, given, async (flows, caseNo) => {
    const answer = await flows.cancel(caseNo, checkReason(given), { timeout })
    if (answer.kind === 'UnknownCase') throw refuse(answer)
    if (answer.kind !== 'Refused') return answer
    const ended = await flows.waitForEnd(caseNo, { timeout })
    if (ended.kind !== 'Ended') throw refuse(answer)
    const { outcome, leftOver } = ended.result
    return { kind: 'Cancelled', outcome, leftOver }
  })

/** A repeated attempt decides once, even if the flow has continued as new since the first attempt. */
export const decideHandler: SyncOperationHandler<DecideFlowInput, FlowStatus> = (context, given) =>
  withFlow(context, given, async (flows, caseNo) => {
    const decision = checkDecision(given)
    const runId = await findFirstRun(caseNo)
    const once = runId && { key: `nexus:${context.requestId}`, runId }
    const answer = await flows.decide(caseNo, decision, { timeout, ...(once && { once }) })
    if (answer.kind !== 'Decided') throw refuse(answer)
    return answer.status
  })

/** The first run of the flow; undefined for an unknown case. */
async function findFirstRun(caseNo: string) {
  try {
    const { raw } = await getClient().workflow.getHandle(toWorkflowId(caseNo)).describe()
    return raw.workflowExecutionInfo?.firstRunId
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined
    throw error
  }
}

async function withFlow<Result>(
  context: StartOperationContext,
  given: unknown,
  call: (flows: FlowClient, caseNo: string) => Promise<Result>,
): Promise<Result> {
  return withHandlerErrors(async () => {
    const caseNo = checkCaseNo(given)
    const client = getClient()
    const named = new Client({ ...client.options, connection: client.connection, identity: callerOf(context) })
    const result = await call(createFlowClient(named, { taskQueue: operationInfo().taskQueue }), caseNo)
    await linkToFlow(context, caseNo)
    return result
  })
}

/**
 * The workflow that calls, for the history of the flow, which an audit copies. Temporal writes the link when a workflow
 * calls; a caller by HTTP may send none.
 */
function callerOf({ inboundLinks }: StartOperationContext): string {
  const [link] = inboundLinks.filter(({ type }) => type === workflowLink)
  const [, namespace, workflowId] = /^\/namespaces\/([^/]+)\/workflows\/([^/]+)\//.exec(link?.url.pathname ?? '') ?? []
  if (namespace === undefined || workflowId === undefined) return unknownCaller
  try {
    return `nexus:${decodeURIComponent(namespace)}/${decodeURIComponent(workflowId)}`.slice(0, maxIdentity)
  } catch {
    // Not an escape of UTF-8, so Temporal has not written it.
    return unknownCaller
  }
}

/**
 * Adds a link from the caller's history to the flow. Neither a query nor an update of this SDK returns one, apart from its
 * experimental operations, and a message leaves no link in the history of the flow.
 */
async function linkToFlow({ outboundLinks }: StartOperationContext, caseNo: string): Promise<void> {
  const workflowId = toWorkflowId(caseNo)
  try {
    const { runId } = await getClient().workflow.getHandle(workflowId).describe()
    const path = ['namespaces', operationInfo().namespace, 'workflows', workflowId, runId, 'history']
    const started = 'referenceType=EventReference&eventID=1&eventType=WorkflowExecutionStarted'
    const url = new URL(`temporal:///${path.map(encodeURIComponent).join('/')}?${started}`)
    outboundLinks.push({ url, type: workflowLink })
  } catch (error) {
    // Retention has deleted it meanwhile.
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
}
