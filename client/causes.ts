import {
  type Client,
  isGrpcServiceError,
  NamespaceNotFoundError,
  ServiceError,
  WorkflowNotFoundError,
} from '@temporalio/client'
import { toWorkflowId } from '#flows'
import { graceTimeout, isTimeout } from './calls.ts'
import { toCodedMessage } from './refusals.ts'
import type { MissingResponse } from './results.ts'

/** Limit of each call that looks for a cause, in milliseconds: the caller's own timeout has passed. */
const probeTimeout = 2_000

/** A worker polls again after a minute at the latest. Temporal lists it for five minutes after its last poll. */
const pollerTimeout = 70_000

/** Temporal's number of the workflow task queue (temporal.api.enums.v1.TaskQueueType). */
const workflowQueue = 1

/** gRPC: no response in time; a query without a worker; no connection. */
const [deadlineExceeded, failedPrecondition, unavailable] = [4, 9, 14]

/** gRPC: the credentials are valid and not sufficient; they are missing or invalid. */
const [permissionDenied, unauthenticated] = [7, 16]

const noResponseInTime: MissingResponse = toCodedMessage(
  'NoResponseInTime',
  'The flow did not respond within the timeout. It continues.',
)

/**
 * A call to a flow got no response, for a known reason. Its `cause` is the error of `@temporalio/client`.
 *
 * ```ts
 * try {
 *   await flows.status('I1701-1982')
 * } catch (error) {
 *   if (error instanceof FlowCallError) console.error(error.code, error.message)
 * }
 * ```
 */
export class FlowCallError extends Error {
  override readonly name = 'FlowCallError'
  readonly code: MissingResponse['code']

  constructor({ code, message }: MissingResponse, cause: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** The flow of a call, and the task queue that it has if it does not exist yet. */
export interface CalledFlow {
  readonly caseNo: string
  readonly taskQueue: string
}

/**
 * Makes a call to a flow, or to Temporal alone.
 * @throws FlowCallError when the flow or Temporal does not respond, or denies the call; otherwise the error of the call
 */
export async function withCause<Response>(
  client: Client,
  flow: CalledFlow | undefined,
  call: () => Promise<Response>,
): Promise<Response> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof FlowCallError) throw error
    if (isDenied(error)) throw new FlowCallError(denied(client), error)
    if (!lacksResponse(error)) throw error
    if (flow === undefined) throw new FlowCallError(unreachable(client), error)
    throw new FlowCallError(await findMissingResponse(client, flow.caseNo, flow.taskQueue), error)
  }
}

/** Asks Temporal why a flow does not respond: no worker polls its task queue, or Temporal does not respond either. */
export async function findMissingResponse(client: Client, caseNo: string, taskQueue: string): Promise<MissingResponse> {
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
    if (polls.some(at => Date.now() - at < pollerTimeout)) return noResponseInTime
    const message = `No worker polls the task queue ${queue} of the namespace ${client.options.namespace}.`
    return toCodedMessage('NoWorkerPolls', message)
  } catch (error) {
    if (isDenied(error)) return denied(client)
    return isUnreached(error) ? unreachable(client) : noResponseInTime
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
    // Another search would take as long again.
    if (isUnreached(error)) throw new FlowCallError(unreachable(client), error)
    return undefined
  }
}

function isUnreached(error: unknown): boolean {
  const status = statusOf(error)
  return status === deadlineExceeded || status === unavailable
}

/** Temporal does not allow the call, whatever the flow. */
function isDenied(error: unknown): boolean {
  const status = statusOf(error)
  return error instanceof NamespaceNotFoundError || status === permissionDenied || status === unauthenticated
}

function unreachable(client: Client): MissingResponse {
  return toCodedMessage('TemporalUnreachable', `Temporal was not reached at ${addressOf(client)}.`)
}

function denied(client: Client): MissingResponse {
  const message = `Temporal at ${addressOf(client)} denied the call, or does not have the namespace ${client.options.namespace}.`
  return toCodedMessage('TemporalDenied', message)
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

/** The address is an option of the connection of `@temporalio/client`, and not of the one that a worker lends. */
function addressOf({ connection }: { readonly connection: object }): string {
  const { options } = connection as { options?: { address?: string } }
  return options?.address ?? 'its address'
}
