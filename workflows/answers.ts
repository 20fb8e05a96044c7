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
import type { WorkOutcome } from './pending.ts'
import { type Answers, type FailureText, type FlowProgress, toValues } from './progress.ts'
import { toValueKey } from './scopes.ts'
import type { Token } from './tokens.ts'

/** The bytes of the result's outputs, which can copy others. Temporal terminates a flow whose result has over two megabytes. */
const resultLimit = 1.5 * 1_024 * 1_024

/** Keeps an output, or returns the failure of a step whose output is too large. */
export function keepOutput(
  progress: FlowProgress,
  { id }: Token,
  step: PlannedStep,
  output: Json,
): FailureText | undefined {
  const key = toValueKey(id, step.name)
  const outputs = { ...progress.outputs, [key]: output }
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
  set(progress, key, output)
  return undefined
}

/** The outcome of a step that would send more than Temporal allows: it does not begin. Undefined for a value that fits. */
export function findTooLarge(step: string, field: 'with' | 'request', value: Json): WorkOutcome | undefined {
  const size = jsonBytes(value)
  if (size <= sentLimit) return undefined
  const message = `${step}.${field}: must have at most ${sentLimit} bytes, got ${size}.`
  const failure = toFailureText(flowFailure('InvalidFlowInput', message))
  return { kind: 'failed', failure, refused: true, certain: true }
}

/** The output of a step whose error the flow tolerates. */
export function keepError(answers: Answers, { id }: Token, { name }: PlannedStep, error: string): void {
  set(answers, toValueKey(id, name), { error })
}

/** The output of a wait of which something reads how it has ended. */
export function keepEnd(answers: Answers, { id }: Token, { name }: PlannedStep, ended: 'reached' | 'timedOut'): void {
  set(answers, toValueKey(id, name), { ended })
}

/** Notes who has given the answer of a step, which is its output. */
export function noteAnswered(answers: Answers, key: string, { by }: AnswerUpdate, now: number): void {
  answers.answered = { ...answers.answered, [key]: { by: by ?? null, at: new Date(now).toISOString() } }
}

/** Forgets outputs and answers by their keys. */
export function forgetValues(answers: Answers, isForgotten: (key: string) => boolean): void {
  renameValues(answers, key => (isForgotten(key) ? undefined : key))
}

/** Gives outputs and answers other keys; undefined: forgets them. */
export function renameValues(answers: Answers, rename: (key: string) => string | undefined): void {
  answers.outputs = renameKeys(answers.outputs, rename)
  answers.answered = renameKeys(answers.answered, rename)
}

function renameKeys<Value>(values: Readonly<Record<string, Value>>, rename: (key: string) => string | undefined) {
  const renamed = Object.entries(values).flatMap(([key, value]) => {
    const name = rename(key)
    return name === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(renamed)
}

function set(answers: Answers, key: string, output: Json): void {
  answers.outputs = { ...answers.outputs, [key]: output }
}
