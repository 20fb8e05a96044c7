import {
  isGrpcDeadlineError,
  isGrpcServiceError,
  ServiceError,
  WorkflowFailedError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client'
import { ApplicationFailure, TerminatedFailure, TimeoutFailure } from '@temporalio/common'
import type { ErrorCode } from '#contract/terms'
import type { Refused } from './answers.ts'

/** gRPC: too many updates are under way; the workflow task that held the update failed. */
const [resourceExhausted, failedPrecondition] = [8, 9]

/** What Temporal says of an update that was still under way when its workflow ended. */
const cutOff = 'AcceptedUpdateCompletedWorkflow'

/** The no of a flow or of the service in what a call threw; undefined when it is something else, a fault for instance. */
export function refusalIn(error: unknown): Refused | undefined {
  if (!(error instanceof WorkflowUpdateFailedError || error instanceof WorkflowFailedError)) return undefined
  const { cause } = error
  if (cause instanceof TerminatedFailure || cause instanceof TimeoutFailure) {
    return refused('FlowTerminated', `The flow was ended from outside: ${cause.message}.`)
  }
  if (!(cause instanceof ApplicationFailure)) return undefined
  if (cause.type === cutOff) return refused('FlowEnded', 'The flow ended before it could answer.')
  return { kind: 'Refused', code: cause.type ?? 'InternalError', message: cause.message }
}

export function refused(code: ErrorCode, message: string): Refused {
  return { kind: 'Refused', code, message }
}

/** Whether a call got no answer in its time. */
export function isDeadline(error: unknown): boolean {
  return error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcDeadlineError(error)
}

/**
 * Whether an update is worth another try with the same update id: its workflow task failed, for instance because a
 * callback arrived in the moment in which the flow ended, or too many callers are waiting already.
 */
export function isPassing(error: unknown): boolean {
  if (refusalIn(error)?.code === 'BookingPending') return true
  // Of an update that starts nothing Temporal's client tells only behind a word of its own.
  const fault = error instanceof ServiceError ? error.cause : error
  return isGrpcServiceError(fault) && (fault.code === resourceExhausted || fault.code === failedPrecondition)
}
