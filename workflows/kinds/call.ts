import { isRecord } from '#contract/terms'
import type { PlannedCall } from '#flows'
import { type Json, resolve, toStepKey } from '#flows'
import { callOperation } from '../activities.ts'
import { findTooLarge } from '../answers.ts'
import { isEnding, type PlannedFlow } from '../context.ts'
import {
  businessErrorIn,
  callGivenUp,
  isActivityError,
  isOutcomeUnknown,
  toErrorCode,
  toFailureText,
} from '../failures.ts'
import { isEndedBefore, uidToCancel } from '../lockers/neededShipments.ts'
import { setStateCode } from '../lockers/shipments.ts'
import { type Pending, track, type WorkOutcome } from '../pending.ts'
import { toValues } from '../progress.ts'
import { toEffectKey } from '../scopes.ts'
import type { Kind } from './kind.ts'

export const call: Kind<PlannedCall> = {
  work,
  done(progress, step, { id }) {
    const cancelled = uidToCancel(progress, step, id)
    if (cancelled !== undefined) setStateCode(progress.lockers, cancelled, 'Cancelled')
  },
}

/**
 * Calls the operation. A refusal that the step tolerates is its output; any other fails with the service's code. Faults
 * are retried within the window of the step, then it fails with CallGivenUp.
 */
async function work(flow: PlannedFlow, step: PlannedCall, pending: Pending): Promise<WorkOutcome> {
  const { progress, runtime } = flow
  const { caseNo, profile } = progress.plan
  const { name, operation, request, keep, onError = {} } = step
  const scope = pending.token.id
  const key = toEffectKey(scope, name)
  const resolved = resolve(request, toValues(progress, scope))
  const tooLarge = findTooLarge(name, 'request', resolved)
  if (tooLarge !== undefined) return tooLarge
  const tolerated = Object.entries(onError).flatMap(([code, policy]) => (policy === 'fail' ? [] : [code]))
  const input = {
    operation,
    request: asRecord(resolved),
    caseNo,
    profile,
    idempotencyKey: toStepKey({ caseNo, step: key }, runtime.info().firstExecutionRunId),
    ...(keep && { keep }),
    ...(tolerated.length > 0 && { tolerated }),
    ...(isEndedBefore(progress, step, scope) && { mayBeDone: true as const }),
  }
  try {
    const output = await track(pending, callOperation(key, step.window).start(runtime, input))
    return { kind: 'done', output }
  } catch (error) {
    if (!isActivityError(error)) throw error
    const certain = !isOutcomeUnknown(error)
    if (isEnding(flow, pending)) return { kind: 'stopped', certain }
    const refusal = businessErrorIn(error)
    const failure = toFailureText(refusal ?? callGivenUp(toErrorCode(error)))
    return { kind: 'failed', failure, refused: refusal !== undefined, certain }
  }
}

function asRecord(value: Json): Record<string, unknown> {
  return isRecord(value) ? { ...value } : {}
}
