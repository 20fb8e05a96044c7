import { type Client, Connection, isGrpcServiceError, ServiceError, WorkflowNotFoundError } from '@temporalio/client'
import { withReference } from '#contract/terms'
import { toWorkflowId } from '#flows'
import { graceTimeout, isTimeout } from './calls.ts'
import type { MissingResponse } from './results.ts'

/** Limit of each call that looks for a cause, in milliseconds: the caller's own timeout has passed. */
const probeTimeout = 2_000

/** A worker polls again after a minute at the latest. Temporal lists it for five minutes after its last poll. */
const pollerTimeout = 70_000

/** Temporal's number of the workflow task queue (temporal.api.enums.v1.TaskQueueType). */
const workflowQueue = 1

/** gRPC: no response in time; a query without a worker; no connection. */
const [deadlineExceeded, failedPrecondition, unavailable] = [4, 9, 14]

/** A call to a flow got no response, for a known reason. Its `cause` is the error of `@temporalio/client`. */
export class FlowCallError extends Error {
  override readonly name = 'FlowCallError'
  readonly code: MissingResponse['code']

  constructor({ code, message }: MissingResponse, cause: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/**
 * Makes a call to a flow.
 * @param taskQueue of a flow that does not exist yet
 * @throws FlowCallError when no worker polls or Temporal cannot be reached; otherwise the error of the call
 */
export async function withCause<Response>(
  client: Client,
  { caseNo, taskQueue }: { readonly caseNo: string; readonly taskQueue: string },
  call: () => Promise<Response>,
): Promise<Response> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof FlowCallError) throw error
    const cause = lacksResponse(error) ? await findMissingResponse(client, caseNo, taskQueue) : undefined
    throw cause === undefined ? error : new FlowCallError(cause, error)
  }
}

/** Asks Temporal why a flow does not respond. Undefined if a worker polls, or if Temporal responds with another error. */
export async function findMissingResponse(
  client: Client,
  caseNo: string,
  taskQueue: string,
): Promise<MissingResponse | undefined> {
  try {
    const { queue, pollers } = await client.withDeadline(Date.now() + probeTimeout, async () => {
      const queue = await findTaskQueue(client, caseNo, taskQueue)
      const { pollers } = await client.workflowService.describeTaskQueue({
        namespace: client.options.namespace,
        taskQueue: { name: queue },
        taskQueueType: workflowQueue,
      })
      return { queue, pollers }
    })
    const polls = pollers.map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000)
    if (polls.some(at => Date.now() - at < pollerTimeout)) return undefined
    const message = `No worker polls the task queue ${queue} of the namespace ${client.options.namespace}.`
    return { code: 'NoWorkerPolls', message: withReference('NoWorkerPolls', message) }
  } catch (error) {
    return isUnreached(error) ? unreachable(client) : undefined
  }
}

/**
 * Makes a follow-up call that needs no worker. Returns undefined when it fails.
 * @throws FlowCallError when Temporal cannot be reached; WorkflowNotFoundError when the flow is gone
 */
export async function askTemporal<Response>(
  client: Client,
  call: () => Promise<Response>,
): Promise<Response | undefined> {
  try {
    return await client.withDeadline(Date.now() + graceTimeout, call)
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) throw error
    // Another search for the cause would take as long again.
    if (isUnreached(error)) throw new FlowCallError(unreachable(client), error)
    return undefined
  }
}

function isUnreached(error: unknown): boolean {
  const status = statusOf(error)
  return status === deadlineExceeded || status === unavailable
}

function unreachable(client: Client): MissingResponse {
  const message = `Temporal was not reached at ${addressOf(client)}.`
  return { code: 'TemporalUnreachable', message: withReference('TemporalUnreachable', message) }
}

/** The task queue of a flow, which its starter chose. */
async function findTaskQueue({ workflow }: Client, caseNo: string, usual: string): Promise<string> {
  try {
    return (await workflow.getHandle(toWorkflowId(caseNo)).describe()).taskQueue
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return usual
    throw error
  }
}

function lacksResponse(error: unknown): boolean {
  const status = statusOf(error)
  return isTimeout(error) || status === deadlineExceeded || status === failedPrecondition || status === unavailable
}

/** The SDK wraps some gRPC errors in a `ServiceError`. */
function statusOf(error: unknown): number | undefined {
  const cause = error instanceof ServiceError ? error.cause : error
  return isGrpcServiceError(cause) ? cause.code : undefined
}

function addressOf({ connection }: Client): string {
  return connection instanceof Connection ? connection.options.address : 'its address'
}
