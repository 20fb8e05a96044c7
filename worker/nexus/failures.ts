import { WorkflowFailedError } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { getClient } from '@temporalio/nexus'
import { HandlerError, OperationError } from 'nexus-rpc'
import { FlowCallError } from '#client'
import { withReference } from '#contract/terms'

/** Temporal gives a handler ten seconds, with its call and its response. Milliseconds. */
const maxWork = 8_000

/** A refusal, with its code and message. */
interface Refusal {
  readonly code: string
  readonly message: string
}

/** A failure whose type is the code, as flows fail. Callers in all languages find it among the causes of their error. */
export function toFailure(code: string, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type: code, message, nonRetryable: true })
}

/** Ends the operation: a repetition would be refused too. */
export function refuse({ code, message }: Refusal): OperationError {
  return new OperationError('failed', message, { cause: toFailure(code, message) })
}

/**
 * Makes calls to flows. Temporal calls the handler again when a flow or Temporal gave no response.
 * @throws OperationError with the code of a flow that failed; HandlerError without a response
 */
export async function withHandlerErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await withinHandler(work)
  } catch (error) {
    if (error instanceof WorkflowFailedError && error.cause instanceof ApplicationFailure) {
      throw refuse({ code: error.cause.type ?? 'InternalError', message: error.cause.message })
    }
    if (!(error instanceof FlowCallError)) throw error
    const { code, message } = error
    const cause = toFailure(code, withReference(code, message))
    throw new HandlerError('UNAVAILABLE', message, { cause, retryableOverride: code !== 'TemporalDenied' })
  }
}

/**
 * The calls of a handler have timeouts of their own, which add up to more than the handler has. The connection that a worker
 * lends knows deadlines and no signals, so the work goes on until its calls have ended.
 * @throws HandlerError when the time is up
 */
async function withinHandler<Result>(work: () => Promise<Result>): Promise<Result> {
  const timeUp = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeUp.reject(lateResponse()), maxWork)
  try {
    // A call without a timeout of its own ends soon after the handler.
    const deadline = Date.now() + maxWork + 1_000
    return await Promise.race([timeUp.promise, getClient().withDeadline(deadline, work)])
  } finally {
    clearTimeout(timer)
  }
}

function lateResponse(): HandlerError {
  const code = 'NoResponseInTime'
  const message = 'The flow or Temporal did not respond in time.'
  return new HandlerError('UNAVAILABLE', message, { cause: toFailure(code, withReference(code, message)) })
}
