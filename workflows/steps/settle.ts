import { type Cause, type Json, jsonBytes, outputLimits, type PlannedStep, resolveOutputs, sentLimit } from '#flows'
import { flowFailure, toFailureText } from '../failures.ts'
import { uidToCancel } from '../lockers/neededShipments.ts'
import type { Outcome } from '../pending.ts'
import type { FailureText, FlowProgress } from '../progress.ts'
import { currentStep, setStateCode, toValues } from '../progress.ts'
import { toIndex } from './windows.ts'

/** The bytes of the result's outputs, which can copy others. Temporal terminates a flow whose result has over two megabytes. */
const resultLimit = 1.5 * 1_024 * 1_024

/** The end of a step after its work: the flow goes on, fails or is cancelled. */
export type StepEnd =
  | { readonly kind: 'advance'; readonly to: number; readonly cause: Cause }
  /** `cause`: absent for an error whose policy the step does not declare. */
  | { readonly kind: 'fail'; readonly failure: FailureText; readonly cause?: Cause }
  | { readonly kind: 'cancel' }

/** Applies the end of the current step's work to the progress, and returns its end. */
export function applyOutcome(progress: FlowProgress, outcome: Outcome): StepEnd {
  const step = currentStep(progress)
  if (step === undefined) throw new Error('There is no step whose work has ended.')
  if (outcome.kind !== 'done') {
    if (outcome.certain) progress.undo = progress.undo.filter(entry => entry.step !== progress.step)
    else noteLeftOver(progress, step)
    return outcome.kind === 'stopped' ? { kind: 'cancel' } : afterFailure(progress, step, outcome)
  }
  for (const entry of progress.undo) if (entry.step === progress.step) entry.state = 'done'
  if (outcome.output === null) return { kind: 'advance', to: progress.step + 1, cause: 'reached' }
  const tooLarge = keepOutput(progress, step, outcome.output)
  if (tooLarge !== undefined) {
    noteLeftOver(progress, step)
    return { kind: 'fail', failure: tooLarge }
  }
  const code = toleratedCode(step, outcome.output)
  if (code !== undefined) return toStepEnd(progress, step, code)
  const cancelled = uidToCancel(progress, step)
  if (cancelled !== undefined) setStateCode(progress, cancelled, 'Cancelled')
  return { kind: 'advance', to: progress.step + 1, cause: 'reached' }
}

/**
 * Notes a step with a sentence for a person, so that an early end of the flow reports it: after it has taken effect, and
 * when it may have. A step with an undo has an entry since its start.
 */
export function noteLeftOver(progress: FlowProgress, step: PlannedStep): void {
  if (step.leaves === undefined || progress.undo.some(entry => entry.step === progress.step)) return
  progress.undo = [...progress.undo, { step: progress.step, state: 'done' }]
}

/** Keeps an output, or returns the failure of a step whose output is too large. */
export function keepOutput(progress: FlowProgress, step: PlannedStep, output: Json): FailureText | undefined {
  const outputs = { ...progress.outputs, [step.name]: output }
  const all = Object.values(outputs).reduce<number>((sum, each) => sum + jsonBytes(each), 0)
  const result = resolveOutputs(progress.plan.outputs, toValues({ ...progress, outputs }))
  const sizes = [
    [jsonBytes(output), outputLimits.step, 'The output'],
    [all, outputLimits.flow, 'All outputs'],
    [jsonBytes(result), resultLimit, 'The outputs of the flow'],
  ] as const
  for (const [bytes, limit, what] of sizes) {
    if (bytes <= limit) continue
    const message = `${what} after step ${step.name} must have at most ${limit} bytes, got ${bytes}.`
    return toFailureText(flowFailure('OutputTooLarge', message))
  }
  progress.outputs[step.name] = output
  return undefined
}

/** The outcome of a step that would send more than Temporal allows: it does not begin. Undefined for a value that fits. */
export function findTooLarge(step: string, field: 'with' | 'request', value: Json): Outcome | undefined {
  const size = jsonBytes(value)
  if (size <= sentLimit) return undefined
  const message = `${step}.${field}: must have at most ${sentLimit} bytes, got ${size}.`
  const failure = toFailureText(flowFailure('InvalidFlowInput', message))
  return { kind: 'failed', failure, refused: true, certain: true }
}

function afterFailure(
  progress: FlowProgress,
  step: PlannedStep,
  { failure, refused }: Extract<Outcome, { kind: 'failed' }>,
): StepEnd {
  const { type } = failure
  const policy = refused ? policyFor(step, type) : undefined
  if (policy === undefined || policy === 'fail') {
    return { kind: 'fail', failure, ...(policy === 'fail' && { cause: `error:${type}` as const }) }
  }
  progress.outputs[step.name] = { error: type }
  return toStepEnd(progress, step, type)
}

function toStepEnd(progress: FlowProgress, step: PlannedStep, code: string): StepEnd {
  const policy = policyFor(step, code)
  const to = typeof policy === 'object' ? toIndex(progress, policy) : progress.step + 1
  return { kind: 'advance', to, cause: `error:${code}` }
}

/** The code of a refusal that the step tolerates, in the output of its call. */
function toleratedCode(step: PlannedStep, output: Json): string | undefined {
  if (step.kind !== 'call' || output === null || typeof output !== 'object' || !('error' in output)) return undefined
  const { error } = output
  return typeof error === 'string' && (policyFor(step, error) ?? 'fail') !== 'fail' ? error : undefined
}

/** Undefined for a code that the step does not name: the flow fails. */
export function policyFor(step: PlannedStep, code: string) {
  // An activity of a team can fail with any code, also with the name of a member of every object.
  return 'onError' in step && step.onError && Object.hasOwn(step.onError, code) ? step.onError[code] : undefined
}
