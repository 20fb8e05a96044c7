// After a reset, Temporal applies the updates that came after the reset point again, all of them in the first task. Their
// callers had their responses, so an answer must not be lost because its step is not asked yet.
import { type AnswerResult, type AnswerUpdate, checkFields, type PlannedStep } from '#flows'
import { type FlowContext, type PlannedFlow, recordRejection } from '../context.ts'
import { toErrorCode } from '../failures.ts'
import { findTokenIn, stepOf } from '../progress.ts'
import { findAsked, findDeclared, keepAnswer } from './answers.ts'

/**
 * True for an answer to a step that the flow has not reached: only after a reset is one accepted. A replay of a history does
 * not know of a reset.
 */
export function isEarly({ progress }: FlowContext, { step: name }: AnswerUpdate): boolean {
  if (progress === undefined) return true
  const step = findAsked(progress, name)
  return step !== undefined && progress.answered[step.name] === undefined && findTokenIn(progress, step) === undefined
}

/** The answer that is kept for a step. */
export function findEarly({ earlyAnswers }: FlowContext, name: string): AnswerUpdate | undefined {
  return earlyAnswers?.find(({ step }) => step === name)
}

/** Keeps an answer until its step. The first answer to a step counts. */
export function keepEarly(flow: FlowContext, update: AnswerUpdate): AnswerResult {
  if (findEarly(flow, update.step) === undefined) flow.earlyAnswers = [...(flow.earlyAnswers ?? []), update]
  const { step, answer, fields, by } = findEarly(flow, update.step) ?? update
  return { step, answer, fields: fields ?? {}, by: by ?? null, answeredAt: new Date(flow.runtime.now()).toISOString() }
}

/** Answers the steps that the flow has reached, if their answers came before. */
export function applyEarlyAnswers(flow: PlannedFlow): void {
  if (flow.earlyAnswers === undefined) return
  for (const token of flow.progress.tokens) applyTo(flow, stepOf(flow.progress, token))
}

function applyTo(flow: PlannedFlow, step: PlannedStep | undefined): void {
  if (step?.kind !== 'ask' || findTokenIn(flow.progress, step) === undefined) return
  const update = findEarly(flow, step.name)
  if (update === undefined) return
  flow.earlyAnswers = flow.earlyAnswers?.filter(other => other !== update)
  if (flow.progress.answered[step.name] !== undefined) return
  // A flow without its plan could not check it.
  const declared = findDeclared(step, update)
  if (declared === undefined || checkFields(declared, update.fields ?? {}).length > 0) {
    recordRejection(flow, `the step ${step.name} does not have the answer that it got before the reset`)
    return
  }
  try {
    keepAnswer(flow, step, update)
  } catch (error) {
    recordRejection(flow, `the answer to ${step.name} from before the reset was refused: ${toErrorCode(error)}`)
  }
}
