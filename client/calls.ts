import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import {
  ApplicationFailure,
  type Client,
  isGrpcServiceError,
  ServiceError,
  TerminatedFailure,
  TimeoutFailure,
  WorkflowFailedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client'
import { findCase, goesOnAfterReset } from '#client/cases'
import type { LeftOver } from '#flows'
import { refused, unknownCase } from './refusals.ts'
import type { Refused, UnknownCase } from './results.ts'

/** Milliseconds. */
export const defaultTimeout = 30_000

/** Limit of a call once the caller's own timeout has passed, in milliseconds. */
export const graceTimeout = 2_000

/** Milliseconds: 31 years. grpc-js ends the process on a much later deadline, and on NaN. */
const maxTimeout = 1e12

/** Backoff between two attempts of an update, in milliseconds. */
const initialInterval = 100
const maximumInterval = 1_000

/** Statuses of gRPC. */
export const [cancelled, deadlineExceeded, notFound, resourceExhausted, failedPrecondition] = [1, 4, 5, 8, 9]

/** @throws TypeError for a timeout that is not a number */
export function deadlineAfter(timeout: number): number {
  const deadline = Date.now() + Math.min(timeout, maxTimeout)
  if (Number.isNaN(deadline)) throw new TypeError(`timeout must be milliseconds, not ${timeout}.`)
  return deadline
}

/** Makes a call within a timeout, in milliseconds. */
export function within<Response>(client: Client, timeout: number, call: () => Promise<Response>): Promise<Response> {
  return client.withDeadline(deadlineAfter(timeout), call)
}

/** Returns the response of a call, or the refusal in the error that it throws. */
export async function toResult<Response>(
  client: Client,
  caseNo: string,
  call: () => Promise<Response>,
): Promise<Response | Refused | UnknownCase> {
  try {
    return await orRefusal(call)
  } catch (error) {
    // Temporal stores no lone surrogates.
    if (!caseNo.isWellFormed()) return unknownCase(caseNo)
    if (!(error instanceof WorkflowNotFoundError)) throw error
    const known = await findCase(client, caseNo)
    return known === undefined ? unknownCase(caseNo) : refused('FlowEnded', 'The flow has ended.')
  }
}

/** `toResult` for a run that exists. */
export async function orRefusal<Response>(call: () => Promise<Response>): Promise<Response | Refused> {
  try {
    return await call()
  } catch (error) {
    const refusal = businessErrorIn(error)
    if (refusal === undefined) throw error
    return refusal
  }
}

/** Retries a query without a response after three seconds, for ten in all: a busy Temporal can lose one. */
export async function sendQuery<Response>(client: Client, query: () => Promise<Response>): Promise<Response> {
  return within(client, 3_000, query).catch(error => {
    if (!isTimeout(error)) throw error
    return within(client, 7_000, query)
  })
}

/** Makes a short call after the caller's timeout. Returns undefined if it fails, and throws if the flow is gone. */
export async function withGraceTimeout<Response>(
  client: Client,
  call: () => Promise<Response>,
  onError?: (error: unknown) => void,
): Promise<Response | undefined> {
  return within(client, graceTimeout, call).catch(error => {
    if (error instanceof WorkflowNotFoundError) throw error
    onError?.(error)
    return undefined
  })
}

/**
 * Sends an update until the flow accepts it or the time is up. All attempts share one update id, so the server returns
 * the first response to each. The backoff grows, since each attempt is a workflow task of the flow.
 * @param timeout milliseconds
 * @param key the update id, if other processes send the update too
 */
export async function retryUpdate<Response>(
  { client, caseNo }: { readonly client: Client; readonly caseNo: string },
  timeout: number,
  send: (updateId: string) => Promise<Response>,
  key?: string,
): Promise<Response> {
  if (key === '') throw new TypeError('key must not be empty.')
  const deadline = deadlineAfter(timeout)
  const updateId = key ?? randomUUID()
  let refusal: unknown
  for (let interval = initialInterval; ; interval = Math.min(2 * interval, maximumInterval)) {
    // Jitter: rejected callers must not all retry at once.
    const pause = interval * (0.5 + Math.random() / 2)
    try {
      return await client.withDeadline(deadline, () => send(updateId))
    } catch (error) {
      if (isTimeout(error)) throw refusal ?? error
      const isReset = isEndOfRun(error) && (await client.withDeadline(deadline, () => goesOnAfterReset(client, caseNo)))
      if (!(isReset || isTransient(error)) || Date.now() + pause >= deadline) throw error
      if (!isReset && businessErrorIn(error)) refusal = error
      await setTimeout(pause)
    }
  }
}

/** The business refusal in an error of the SDK; undefined for any other error. */
export function businessErrorIn(error: unknown): Refused | undefined {
  if (!(error instanceof WorkflowUpdateFailedError || error instanceof WorkflowFailedError)) return undefined
  const { cause } = error
  if (cause instanceof TerminatedFailure || cause instanceof TimeoutFailure) {
    return refused('FlowTerminated', `The flow was ended from outside: ${cause.message}.`)
  }
  if (!(cause instanceof ApplicationFailure)) return undefined
  if (isEndOfRun(error)) return refused('FlowEnded', 'The flow ended before it could respond.')
  // The flow has added the address of the page, where the code has one.
  return { kind: 'Refused', code: cause.type ?? 'InternalError', message: cause.message, ...detailsOf(cause) }
}

/** Temporal's failure of an update that was in flight when its run ended: with the flow, or by a reset. */
export function isEndOfRun(error: unknown): boolean {
  if (!(error instanceof WorkflowUpdateFailedError)) return false
  return error.cause instanceof ApplicationFailure && error.cause.type === 'AcceptedUpdateCompletedWorkflow'
}

/** The details of a failure, which for your workflows can be anything. */
function detailsOf({ details }: ApplicationFailure): Pick<Refused, 'serviceRequestId' | 'leftOver'> {
  const [first] = (details ?? []) as [{ readonly requestId?: unknown; readonly leftOver?: unknown }?]
  return {
    ...(typeof first?.requestId === 'string' && { serviceRequestId: first.requestId }),
    ...(Array.isArray(first?.leftOver) && { leftOver: first.leftOver.filter(isLeftOver) }),
  }
}

function isLeftOver(value: unknown): value is LeftOver {
  const { step, shipmentUid, reason } = (value ?? {}) as Partial<Record<keyof LeftOver, unknown>>
  const isUid = shipmentUid === null || typeof shipmentUid === 'string'
  return typeof step === 'string' && isUid && typeof reason === 'string'
}

/** The error of gRPC, which the SDK wraps for some calls. */
export function grpcErrorOf(error: unknown) {
  const cause = error instanceof ServiceError ? error.cause : error
  return isGrpcServiceError(cause) ? cause : undefined
}

/** No response in time. A deadline that passes while the SDK retries a call shows as a cancelled call. */
export function isTimeout(error: unknown): boolean {
  const status = grpcErrorOf(error)?.code
  return (
    error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || status === deadlineExceeded || status === cancelled
  )
}

/** Temporal has paused the flow, and refuses its updates. */
export function isPaused(error: unknown): boolean {
  return says(error, 'Workflow is paused')
}

/** The update can succeed when it is sent again: its workflow task failed, or too many updates are in flight. */
export function isTransient(error: unknown): boolean {
  if (businessErrorIn(error)?.code === 'BookingPending') return true
  const status = grpcErrorOf(error)?.code
  return status === resourceExhausted || (status === failedPrecondition && !isUpdateLimit(error) && !isPaused(error))
}

/** The run has had as many updates as Temporal allows. */
export function isUpdateLimit(error: unknown): boolean {
  return says(error, 'distinct updates')
}

/**
 * The SDK retried an update-with-start whose connection was lost, and the flow that it had started has ended. Temporal
 * starts nothing, and returns UNAVAILABLE.
 */
export function isStartRepeated(error: unknown): boolean {
  return says(error, 'StartDeduped')
}

function says(error: unknown, text: string): boolean {
  return grpcErrorOf(error)?.message.includes(text) === true
}

/**
 * Makes a call that a signal can abort. The signal of a caller may live for long, so that no listener stays behind.
 * @throws the reason of the signal
 */
export async function withSignal<Response>(
  client: Client,
  signal: AbortSignal | undefined,
  call: () => Promise<Response>,
): Promise<Response> {
  if (signal === undefined) return call()
  signal.throwIfAborted()
  const controller = new AbortController()
  const abort = () => controller.abort(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await client.withAbortSignal(controller.signal, call)
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
