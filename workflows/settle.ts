import { type Cause, type Json, type PlannedStep, siblingAfter } from '#flows'
import { keepError, keepOutput } from './answers.ts'
import { kindOf } from './kinds/index.ts'
import type { WorkOutcome } from './pending.ts'
import { type FailureText, type FlowProgress, stepOf } from './progress.ts'
import { policyFor, toIndex } from './steps/windows.ts'
import type { Token } from './tokens.ts'
import { noteDone, noteLeftOver, noteNoEffect } from './undoList.ts'

/** The end of a step after its work: the flow goes on, fails or is cancelled. */
export type StepEnd =
  | { readonly kind: 'advance'; readonly to: number; readonly cause: Cause }
  /** `cause`: absent for an error whose policy the step does not declare. */
  | { readonly kind: 'fail'; readonly failure: FailureText; readonly cause?: Cause }
  | { readonly kind: 'cancel' }

/** Applies the end of the work of a token's step to the progress, and returns the end of the step. */
export function applyOutcome(progress: FlowProgress, token: Token, outcome: WorkOutcome): StepEnd {
  const step = stepOf(progress, token)
  if (step === undefined) throw new Error('There is no step whose work has ended.')
  if (outcome.kind !== 'done') {
    if (outcome.certain) noteNoEffect(progress, token)
    else noteLeftOver(progress, token, step)
    return outcome.kind === 'stopped' ? { kind: 'cancel' } : afterFailure(progress, token, step, outcome)
  }
  noteDone(progress, token)
  if (outcome.output === null)
    return { kind: 'advance', to: siblingAfter(progress.plan.steps, token.step), cause: 'reached' }
  const tooLarge = keepOutput(progress, token, step, outcome.output)
  if (tooLarge !== undefined) {
    noteLeftOver(progress, token, step)
    return { kind: 'fail', failure: tooLarge }
  }
  const code = toleratedCode(step, outcome.output)
  if (code !== undefined) return toStepEnd(progress, token, step, code)
  kindOf(step).done?.(progress, step, token)
  return { kind: 'advance', to: siblingAfter(progress.plan.steps, token.step), cause: 'reached' }
}

function afterFailure(
  progress: FlowProgress,
  token: Token,
  step: PlannedStep,
  { failure, refused }: Extract<WorkOutcome, { kind: 'failed' }>,
): StepEnd {
  const { type } = failure
  const policy = refused ? policyFor(step, type) : undefined
  if (policy === undefined || policy === 'fail') {
    return { kind: 'fail', failure, ...(policy === 'fail' && { cause: `error:${type}` as const }) }
  }
  keepError(progress, token, step, type)
  return toStepEnd(progress, token, step, type)
}

function toStepEnd(progress: FlowProgress, token: Token, step: PlannedStep, code: string): StepEnd {
  const policy = policyFor(step, code)
  const to =
    typeof policy === 'object' ? toIndex(progress, token, policy) : siblingAfter(progress.plan.steps, token.step)
  return { kind: 'advance', to, cause: `error:${code}` }
}

/** The code of a refusal that the step tolerates, in the output of its call. */
function toleratedCode(step: PlannedStep, output: Json): string | undefined {
  if (step.kind !== 'call' || output === null || typeof output !== 'object' || !('error' in output)) return undefined
  const { error } = output
  return typeof error === 'string' && (policyFor(step, error) ?? 'fail') !== 'fail' ? error : undefined
}
