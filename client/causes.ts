import {
  type Client,
  NamespaceNotFoundError,
  QueryNotRegisteredError,
  QueryRejectedError,
  ValueError,
} from '@temporalio/client'
import { describeRun } from '#client/cases'
import { toWorkflowId } from '#flows'
import {
  cancelled,
  failedPrecondition,
  graceTimeout,
  grpcErrorOf,
  isTimeout,
  isUpdateLimit,
  notFound,
  withGraceTimeout,
  within,
} from './calls.ts'
import { type CodedMessage, toCodedMessage } from './refusals.ts'
import type { MissingResponse } from './results.ts'

/** A worker polls again after a minute at the latest. Temporal lists it for five minutes after its last poll. */
const pollerTimeout = 70_000

/** Temporal's number of the workflow task queue (temporal.api.enums.v1.TaskQueueType). */
const workflowQueue = 1

/** Temporal's number of a paused workflow (temporal.api.enums.v1.WorkflowExecutionStatus). */
const paused = 8

/** By the status of gRPC. All others are `TemporalFailed`. */
const codes: Readonly<Record<number, TemporalFault>> = {
  4: 'TemporalUnreachable',
  7: 'TemporalDenied',
  8: 'TemporalLimitReached',
  14: 'TemporalUnreachable',
  16: 'TemporalDenied',
}

type TemporalFault = Exclude<MissingResponse['code'], 'NoResponseInTime' | 'NoWorkerPolls' | 'FlowPaused'>

const noResponseInTime: MissingResponse = toCodedMessage(
  'NoResponseInTime',
  'The flow did not respond within the timeout. It continues.',
)

const noResponseAfterEnd: MissingResponse = toCodedMessage(
  'NoResponseInTime',
  'The flow has ended, and no worker responded for it within the timeout.',
)

const flowPaused: MissingResponse = toCodedMessage(
  'FlowPaused',
  'Temporal has paused the flow. It continues once it is unpaused.',
)

const queryRejected = toCodedMessage('FlowEnded', 'The flow has ended, and the Temporal client rejects its queries.')

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
  readonly code: MissingResponse['code'] | 'FlowEnded' | 'DataNotConverted'

  constructor({ code, message }: CodedMessage<FlowCallError['code']>, cause: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/**
 * Makes a call to a flow, or to Temporal alone.
 * @param flow the task queue is that of a flow that does not exist yet
 * @throws FlowCallError for every error of Temporal; otherwise the error of the call
 */
export async function withCause<Response>(
  client: Client,
  flow: { readonly caseNo: string; readonly taskQueue: string } | undefined,
  call: () => Promise<Response>,
): Promise<Response> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof FlowCallError) throw error
    if (error instanceof QueryRejectedError)
      throw new FlowCallError(error.status === paused ? flowPaused : queryRejected, error)
    // The client does not load `lockerflow/codec`.
    if (error instanceof ValueError || (error instanceof Error && error.name === 'CodecError')) {
      const reason = error.message.replace(/\.( See \S+)?$/, '')
      const message = `The data converter of the Temporal client failed: ${reason}. If it cannot read the response, the call may have taken effect.`
      throw new FlowCallError(toCodedMessage('DataNotConverted', message), error)
    }
    const status = error instanceof QueryNotRegisteredError ? failedPrecondition : grpcErrorOf(error)?.code
    let fault = isTimeout(error) ? 'TemporalUnreachable' : findFault(error)
    const isSilent = status === failedPrecondition && !isUpdateLimit(error)
    if (flow !== undefined && (fault === 'TemporalUnreachable' || isSilent))
      throw new FlowCallError(await findMissingResponse(client, flow.caseNo, flow.taskQueue), error)
    // Without a flow, only the namespace can be missing.
    if (flow === undefined && status === notFound) fault = 'TemporalDenied'
    throw fault === undefined ? error : new FlowCallError(describe(client, fault, error), error)
  }
}

/** Asks Temporal why a flow does not respond: it is paused, no worker polls, or Temporal does not respond. */
export async function findMissingResponse(client: Client, caseNo: string, taskQueue: string): Promise<MissingResponse> {
  try {
    const { namespace } = client.options
    const { name, isPaused, hasEnded, pollers } = await within(client, graceTimeout, async () => {
      const run = await describeRun(client, toWorkflowId(caseNo))
      const name = run?.taskQueue ?? taskQueue
      const queue = { namespace, taskQueue: { name }, taskQueueType: workflowQueue }
      const { pollers } = await client.workflowService.describeTaskQueue(queue)
      return { name, isPaused: run?.status.name === 'PAUSED', hasEnded: run?.closeTime !== undefined, pollers }
    })
    if (isPaused) return flowPaused
    const polls = pollers.map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000)
    if (polls.some(at => Date.now() - at < pollerTimeout)) return hasEnded ? noResponseAfterEnd : noResponseInTime
    return toCodedMessage('NoWorkerPolls', `No worker polls the task queue ${name} of the namespace ${namespace}.`)
  } catch (error) {
    const fault = findFault(error)
    return fault === undefined ? noResponseInTime : describe(client, fault, error)
  }
}

/** `withGraceTimeout` for a call that needs no worker. @throws FlowCallError when Temporal cannot be reached */
export function askTemporal<Response>(client: Client, call: () => Promise<Response>): Promise<Response | undefined> {
  return withGraceTimeout(client, call, error => {
    const fault = findFault(error)
    // Another search would take as long again.
    if (fault === 'TemporalUnreachable') throw new FlowCallError(describe(client, fault, error), error)
  })
}

/** The code of an error of Temporal; undefined for another error. */
function findFault(error: unknown): TemporalFault | undefined {
  if (error instanceof NamespaceNotFoundError) return 'TemporalDenied'
  if (isUpdateLimit(error)) return 'TemporalLimitReached'
  const status = grpcErrorOf(error)?.code
  return status === undefined || status === cancelled ? undefined : (codes[status] ?? 'TemporalFailed')
}

function describe(client: Client, code: TemporalFault, error: unknown): MissingResponse {
  const at = addressOf(client)
  const details = reasonOf(error).replace(/\.$/, '')
  const sentences = {
    TemporalUnreachable: `Temporal could not be reached at ${at}.`,
    TemporalDenied: `Temporal at ${at} denied the call, or does not have the namespace ${client.options.namespace}.`,
    TemporalLimitReached: `The call exceeds a limit of Temporal at ${at}: ${details}.`,
    TemporalFailed: `Temporal at ${at} returned an error: ${details}.`,
  }
  return toCodedMessage(code, sentences[code])
}

/** For an update-with-start, the SDK writes the reason of the operation that failed into the message alone. */
function reasonOf(error: unknown): string {
  const { message = '', details = '' } = grpcErrorOf(error) ?? {}
  return message.endsWith(details) ? details : message
}

/** The address is an option of the connection of `@temporalio/client`, and not of the one that a worker lends. */
function addressOf({ connection }: { readonly connection: object }): string {
  const { options } = connection as { options?: { address?: string } }
  return options?.address ?? 'its address'
}
