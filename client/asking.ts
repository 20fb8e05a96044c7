import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import { type FlowResult, workflowIdOf } from '#contract/terms'
import type { Refused, UnknownCase } from './answers.ts'
import { findCase } from './case.ts'
import { refusalIn, refused } from './refusals.ts'

/** Milliseconds. */
const afterthought = 2_000

export function handleOf(client: Client, caseNo: string) {
  return client.workflow.getHandle<() => Promise<FlowResult>>(workflowIdOf(caseNo))
}

/** Turns what the other side said into a value. */
export async function answered<Answer>(
  client: Client,
  caseNo: string,
  ask: () => Promise<Answer>,
): Promise<Answer | Refused | UnknownCase> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) {
      const known = await findCase(client, caseNo)
      return known === undefined ? { kind: 'UnknownCase', caseNo } : refused('FlowEnded', 'The flow has ended.')
    }
    const refusal = refusalIn(error)
    if (refusal !== undefined) return refusal
    throw error
  }
}

/**
 * What a call answers within a short time; undefined when it does not. The caller's own deadline is over already. Throws
 * only when there is no flow any more.
 */
export async function shortly<Answer>(client: Client, call: () => Promise<Answer>): Promise<Answer | undefined> {
  return client.withDeadline(Date.now() + afterthought, call).catch(error => {
    if (error instanceof WorkflowNotFoundError) throw error
    return undefined
  })
}
