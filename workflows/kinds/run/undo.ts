import { type PlannedRun, toUndoFailedReason, type UndoRun } from '#flows'
import { cancellationType, retry, toSummary } from '../../activities.ts'
import type { PlannedFlow } from '../../context.ts'
import { isActivityError, toErrorCode } from '../../failures.ts'
import { findOutput, type UndoEntry } from '../../progress.ts'
import { leave } from '../../undoList.ts'
import { toCall, toInput } from './perform.ts'

/** The undo is retried for a day, during which the team can restore its service. Then the step is left over for a person. */
const undoWindow = '24h'

/** Milliseconds. An undo has no heartbeat, so a longer attempt that is lost with its worker would use up the window. */
const maxAttempt = 3_600_000

/** Undoes a run step that was started. A failed undo is left over for a person. Never fails. */
export async function undoRun(
  flow: PlannedFlow,
  step: PlannedRun,
  { state, token: scope = '' }: UndoEntry,
): Promise<void> {
  const { progress, runtime } = flow
  const { undo, timeout, taskQueue } = step
  if (undo === 'nothing') return
  const call = toCall(flow, step, scope)
  const { step: name } = call
  if (typeof undo === 'object') {
    leave(progress, { step: name, shipmentUid: null, reason: undo.leaves })
    return
  }
  // A step whose output was too large is done without one.
  const result = state === 'done' ? findOutput(progress, scope, step.name) : undefined
  const certain = result !== undefined
  const input: UndoRun = { input: toInput(flow, step, scope), output: result ?? null, certain }
  try {
    await runtime.activity(undo, [input, call], {
      activityId: `${call.key}:undo`,
      startToCloseTimeout: Math.min(timeout, maxAttempt),
      scheduleToCloseTimeout: undoWindow,
      ...(taskQueue !== undefined && { taskQueue }),
      outside: true,
      retry: retry.cleanUp,
      cancellationType,
      summary: toSummary(`undo of step ${name}`),
    })
  } catch (error) {
    if (!isActivityError(error)) throw error
    leave(progress, { step: name, shipmentUid: null, reason: toUndoFailedReason(toErrorCode(error)) })
  }
}
