import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowIdReusePolicy } from '@temporalio/client'
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common'
import { type FlowInput, searchAttributes, workflowIdOf } from '#contract/terms'
import type { AnyFlowName } from '#workflows/flows'
import type { CaseFinished, CaseInUse, Started } from './answers.ts'
import { caseInUse, endedCase, findCase, isSameCase } from './case.ts'
import { describe } from './description.ts'

const caseKey = defineSearchAttributeKey(searchAttributes.caseNo.name, SearchAttributeType.KEYWORD)
const flowKey = defineSearchAttributeKey(searchAttributes.flow.name, SearchAttributeType.KEYWORD)

/**
 * How every flow is started: its case number makes it unique among the running and the completed ones. Throws a TypeError
 * without one, which a caller in JavaScript can leave out; whatever else is wrong the flow refuses itself.
 */
export function startOptions(taskQueue: string, flow: AnyFlowName, input: FlowInput) {
  if (typeof input.caseNo !== 'string') throw new TypeError('caseNo has to be a text of 1 to 60 characters')
  return {
    workflowId: workflowIdOf(input.caseNo),
    taskQueue,
    args: [input],
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
    typedSearchAttributes: [
      { key: caseKey, value: input.caseNo },
      { key: flowKey, value: flow },
    ],
    ...describe(flow, input.windows),
  }
}

/** Starts a flow without waiting for its booking; a second start of the same case finds the first. */
export async function start(
  client: Client,
  taskQueue: string,
  flow: AnyFlowName,
  input: FlowInput,
): Promise<Started | CaseInUse | CaseFinished> {
  const { caseNo } = input
  try {
    const { firstExecutionRunId } = await client.workflow.start(flow, startOptions(taskQueue, flow, input))
    return { kind: 'Started', caseNo, runId: firstExecutionRunId, isNew: true }
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
  }
  const known = await findCase(client, caseNo)
  // It was there and is gone again: its namespace forgot it in between.
  if (known === undefined) return start(client, taskQueue, flow, input)
  if (!known.running) return endedCase(client, known, flow, input)
  if (!isSameCase(known, flow, input)) return caseInUse(caseNo, known)
  return { kind: 'Started', caseNo, runId: known.runId, isNew: false }
}
