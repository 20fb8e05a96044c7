import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import type { Payload } from '@temporalio/common'
import { fingerprint } from '#contract'
import { type FlowInput, type FlowOutcome, type FlowResult, workflowIdOf } from '#contract/terms'
import type { CaseFinished, CaseInUse } from './answers.ts'

/** A case as Temporal has it: what it was started with, and whether it still runs. */
export interface KnownCase {
  readonly flow: string
  readonly fingerprint: string
  readonly runId: string
  readonly running: boolean
  /** As Temporal calls it: RUNNING, COMPLETED, FAILED, TERMINATED and so on. */
  readonly status: string
  /** What it was started with, as far as it can be read. */
  readonly input: Partial<FlowInput>
}

/**
 * Looks a case up. The request is read from the first event of its history, so that it is known however and in
 * whatever language the flow was started. Undefined when there is no such case.
 */
export async function findCase(client: Client, caseNo: string): Promise<KnownCase | undefined> {
  const workflowId = workflowIdOf(caseNo)
  try {
    const { status, type, runId } = await client.workflow.getHandle(workflowId).describe()
    const { history } = await client.workflowService.getWorkflowExecutionHistory({
      namespace: client.options.namespace,
      execution: { workflowId, runId },
      maximumPageSize: 1,
    })
    const started = history?.events?.[0]?.workflowExecutionStartedEventAttributes
    const input = await inputOf(client, started?.input?.payloads ?? [])
    const running = status.name === 'RUNNING' || status.name === 'PAUSED'
    return { flow: type, fingerprint: fingerprint(input.request), runId, running, status: status.name, input }
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined
    throw error
  }
}

/** The argument of a start event, decrypted and decoded as the client would. */
async function inputOf(client: Client, payloads: Payload[]): Promise<Partial<FlowInput>> {
  const { payloadConverter, payloadCodecs } = client.options.loadedDataConverter
  let decoded = payloads
  for (const codec of payloadCodecs.toReversed()) decoded = await codec.decode(decoded)
  const [input] = decoded.map(payload => payloadConverter.fromPayload<Partial<FlowInput> | null>(payload))
  return input ?? {}
}

/** Whether the known case is the one that somebody wants to start: the same flow with the same request. */
export function isSameCase(known: KnownCase, flow: string, input: FlowInput): boolean {
  return known.flow === flow && known.fingerprint === fingerprint(input.request)
}

/** The answer to starting a case whose number is taken by one that has ended. */
export async function endedCase(client: Client, known: KnownCase, flow: string, input: FlowInput) {
  if (!isSameCase(known, flow, input)) return caseInUse(input.caseNo, known)
  const result: FlowResult = await client.workflow.getHandle(workflowIdOf(input.caseNo), known.runId).result()
  return { kind: 'CaseFinished', result } satisfies CaseFinished
}

/** How a case ended that completed. */
export async function outcomeOf(
  client: Client,
  caseNo: string,
  { runId }: KnownCase,
): Promise<FlowOutcome | undefined> {
  const result: FlowResult | null = await client.workflow.getHandle(workflowIdOf(caseNo), runId).result()
  return result?.outcome
}

export function caseInUse(caseNo: string, { flow }: { flow: string }): CaseInUse {
  return { kind: 'CaseInUse', caseNo, message: `The case number is in use by the flow ${flow}.` }
}
