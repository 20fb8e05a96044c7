import {
  type AnswerUpdate,
  type Json,
  jsonBytes,
  outputLimits,
  type PlannedStep,
  resolveOutputs,
  sentLimit,
} from '#flows'
import { flowFailure, toFailureText } from './failures.ts'
import type { Outcome } from './pending.ts'
import { type Answers, type FailureText, type FlowProgress, toValues } from './progress.ts'

/** The bytes of the result's outputs, which can copy others. Temporal terminates a flow whose result has over two megabytes. */
const resultLimit = 1.5 * 1_024 * 1_024

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
  set(progress, step, output)
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

/** The output of a step whose error the flow tolerates. */
export function keepError(answers: Answers, step: PlannedStep, error: string): void {
  set(answers, step, { error })
}

/** Notes who has given the answer of a step, which is its output. */
export function noteAnswered(answers: Answers, { name }: PlannedStep, { by }: AnswerUpdate, now: number): void {
  answers.answered = { ...answers.answered, [name]: { by: by ?? null, at: new Date(now).toISOString() } }
}

function set(answers: Answers, { name }: PlannedStep, output: Json): void {
  answers.outputs = { ...answers.outputs, [name]: output }
}
