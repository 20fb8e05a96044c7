import {
  type Client,
  isGrpcServiceError,
  type Payload,
  type WorkflowExecutionDescription,
  WorkflowNotFoundError,
} from '@temporalio/client'
import { fingerprint } from '#contract/casing'
import { type FlowInput, type FlowResult, toWorkflowId } from '#flows'

/** A case as Temporal stores it. */
export interface KnownCase {
  readonly flow: string
  readonly fingerprint: string
  readonly runId: string
  readonly running: boolean
  /** Temporal's status of the workflow, such as RUNNING. */
  readonly status: string
  /** The input of the flow, not validated. */
  readonly input: Partial<FlowInput>
}

/** Looks up a case; undefined when the namespace has none of this number. Its first event has the request. */
export async function findCase(client: Client, caseNo: string): Promise<KnownCase | undefined> {
  const run = await describeRun(client, toWorkflowId(caseNo))
  if (run === undefined) return undefined
  const { workflowId, runId, type, status } = run
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: 1,
  })
  const started = history?.events?.[0]?.workflowExecutionStartedEventAttributes
  const input = await decodeInput(client, started?.input?.payloads ?? [])
  const running = isOpen(status)
  return { flow: type, fingerprint: fingerprint(input.request), runId, running, status: status.name, input }
}

/** Describes a run, by default the last one. Undefined for a run that the namespace does not have. */
export async function describeRun(
  { workflow }: Client,
  workflowId: string,
  runId?: string,
): Promise<WorkflowExecutionDescription | undefined> {
  try {
    return await workflow.getHandle(workflowId, runId).describe()
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined
    throw error
  }
}

/** True if the flow goes on in a later run. Only a reset ends a run with updates in flight. */
export async function goesOnAfterReset(client: Client, caseNo: string): Promise<boolean> {
  const { status, runId, raw } = await client.workflow.getHandle(toWorkflowId(caseNo)).describe()
  return isOpen(status) && raw.workflowExecutionInfo?.firstRunId !== runId
}

/** A run of a flow. */
export interface Run {
  readonly workflowId: string
  readonly runId: string
}

/** Temporal's number of the filter for the last event (temporal.api.enums.v1.HistoryEventFilterType). */
const closeEvent = 2

/** Status of gRPC. */
const notFound = 5

/** The last event of an ended run; undefined for one that Temporal has deleted. */
export async function readLastEvent({ workflowService, options }: Client, execution: Run) {
  try {
    const { history } = await workflowService.getWorkflowExecutionHistory({
      namespace: options.namespace,
      execution,
      historyEventFilterType: closeEvent,
    })
    return history?.events?.at(-1)
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === notFound) return undefined
    throw error
  }
}

/** True for a run that a reset has ended: the flow goes on as another one. */
export async function isReset(client: Client, { workflowId, runId }: Run): Promise<boolean> {
  const run = await describeRun(client, workflowId, runId)
  return Boolean(run?.raw.workflowExtendedInfo?.resetRunId)
}

/** True for a run that has not ended. */
export function isOpen({ name }: { readonly name: string }): boolean {
  return name === 'RUNNING' || name === 'PAUSED'
}

async function decodeInput(client: Client, payloads: Payload[]): Promise<Partial<FlowInput>> {
  const { payloadConverter, payloadCodecs } = client.options.loadedDataConverter
  let decoded = payloads
  for (const codec of payloadCodecs.toReversed()) decoded = await codec.decode(decoded)
  const [input] = decoded.map(payload => payloadConverter.fromPayload<Partial<FlowInput> | null>(payload))
  return input ?? {}
}

/** True if a known case has this flow and this request. */
export function isSameCase(known: KnownCase, flow: string, request: unknown): boolean {
  return known.flow === flow && known.fingerprint === fingerprint(request)
}

/** Reads the result of a completed case. */
export async function readResult(client: Client, caseNo: string, { runId }: KnownCase): Promise<FlowResult> {
  return client.workflow.getHandle(toWorkflowId(caseNo), runId).result()
}
