import { type Client, Connection, isGrpcServiceError, ServiceError, WorkflowNotFoundError } from '@temporalio/client'
import { withReference } from '#contract/terms'
import { toWorkflowId } from '#flows'
import { isTimeout, LimitPassed, withLimit } from './calls.ts'
import type { MissingResponse } from './results.ts'

/** Limit of the calls that look for a cause, in milliseconds: the caller's own timeout has passed. */
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
    const { queue, pollers } = await withLimit(client, probeTimeout, async () => {
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
    const status = statusOf(error)
    const isReached = status !== deadlineExceeded && status !== unavailable && !(error instanceof LimitPassed)
    if (isReached) return undefined
    const message = `Temporal was not reached at ${addressOf(client)}.`
    return { code: 'TemporalUnreachable', message: withReference('TemporalUnreachable', message) }
  }
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
