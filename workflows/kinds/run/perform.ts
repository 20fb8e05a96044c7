import type { ApplicationFailure } from '@temporalio/common'
import { type Json, type PlannedRun, type RunCall, readFields, resolve, toStepKey } from '#flows'
import { cancellationType, toSummary } from '../../activities.ts'
import { findTooLarge } from '../../answers.ts'
import { isEnding, type PlannedFlow } from '../../context.ts'
import { businessErrorIn, flowFailure, isActivityError, runGivenUp, toFailureText } from '../../failures.ts'
import { type Pending, track, type WorkOutcome } from '../../pending.ts'
import { toValues } from '../../progress.ts'
import type { NamedOptions } from '../../runtime.ts'
import { toEffectKey } from '../../scopes.ts'
import { policyFor } from '../../steps/windows.ts'

/**
 * Runs the activity of the team, and checks its result in whatever language it is written. A failure that is not
 * retryable fails with its type, or with RunGivenUp if it has none. Other failures are retried within the window of the
 * step, then it fails with RunGivenUp.
 */
export async function work(flow: PlannedFlow, step: PlannedRun, pending: Pending): Promise<WorkOutcome> {
  const { runtime } = flow
  const scope = pending.token.id
  const input = toInput(flow, step, scope)
  const tooLarge = findTooLarge(step.name, 'with', input)
  if (tooLarge !== undefined) return tooLarge
  const started = runtime.startActivity(step.activity, [input, toCall(flow, step, scope)], toOptions(flow, step, scope))
  try {
    return toOutcome(step, await track(pending, started))
  } catch (error) {
    if (!isActivityError(error)) throw error
    if (isEnding(flow, pending)) return { kind: 'stopped', certain: false }
    const failed = businessErrorIn(error)
    const refusal = failed !== undefined && hasType(step, failed) ? failed : undefined
    const failure = toFailureText(refusal ?? runGivenUp(error, step.taskQueue))
    // A failed activity may have done a part of its work.
    return { kind: 'failed', failure, refused: refusal !== undefined, certain: false }
  }
}

/** The SDK for TypeScript gives a failure without a type this one. A step that names it plans for it. */
const absentType = 'Error'

function hasType(step: PlannedRun, { type }: ApplicationFailure): boolean {
  if (type === absentType) return policyFor(step, type) !== undefined
  return Boolean(type)
}

/** The first argument of the activity. The paths that it reads never change, so the undo computes the same. */
export function toInput({ progress }: PlannedFlow, step: PlannedRun, scope: string): Json {
  return resolve(step.with, toValues(progress, scope))
}

/** The second argument of the activity, and of the one that undoes it. */
export function toCall({ progress, runtime }: PlannedFlow, { name }: PlannedRun, scope: string): RunCall {
  const { flow, caseNo } = progress.plan
  const step = toEffectKey(scope, name)
  const key = toStepKey({ caseNo, step }, runtime.info().firstExecutionRunId)
  return { flow, caseNo, step, key }
}

function toOptions(flow: PlannedFlow, step: PlannedRun, scope: string): NamedOptions {
  const { timeout, window, heartbeat, retry, taskQueue } = step
  const { key, step: name } = toCall(flow, step, scope)
  return {
    activityId: key,
    startToCloseTimeout: timeout,
    scheduleToCloseTimeout: window,
    ...(heartbeat !== undefined && { heartbeatTimeout: heartbeat }),
    ...(taskQueue !== undefined && { taskQueue }),
    outside: true,
    retry,
    cancellationType,
    summary: toSummary(`step ${name}`),
  }
}

function toOutcome({ name, keep }: PlannedRun, result: unknown): WorkOutcome {
  const read = readFields(keep, result, 'result')
  if ('output' in read) return { kind: 'done', output: Object.keys(keep).length === 0 ? {} : read.output }
  const failure = flowFailure('InvalidActivityResult', `The result of step ${name}: ${read.faults.join(' ')}`)
  return { kind: 'failed', failure: toFailureText(failure), refused: true, certain: false }
}
