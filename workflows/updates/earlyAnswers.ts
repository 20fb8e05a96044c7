// After a reset, Temporal applies the updates that came after the reset point again, all of them in the first task. Their
// callers had their responses, so an answer must not be lost because its step is not asked yet.
import { type AnswerResult, type AnswerUpdate, checkFields } from '#flows'
import { type FlowContext, type PlannedFlow, recordRejection } from '../context.ts'
import { toErrorCode } from '../failures.ts'
import { isIn, stepOf } from '../progress.ts'
import { toEffectKey, toValueKey } from '../scopes.ts'
import type { Token } from '../tokens.ts'
import { findAsked, findDeclared, isAskedNow, keepAnswer, toAnswerKey } from './answers.ts'

/**
 * True for an answer to a step that the flow has not reached: only after a reset is one accepted. A replay of a history does
 * not know of a reset.
 */
export function isEarly({ progress }: FlowContext, update: AnswerUpdate): boolean {
  if (progress === undefined) return true
  const [asked] = findAsked(progress, toAnswerKey(update))
  return asked !== undefined && progress.answered[asked.key] === undefined && !isAskedNow(progress, asked)
}

/** The answer that is kept under a key. */
export function findEarly({ earlyAnswers }: FlowContext, key: string): AnswerUpdate | undefined {
  return earlyAnswers?.find(update => toAnswerKey(update) === key)
}

/** Keeps an answer until its step. The first answer to a step counts. */
export function keepEarly(flow: FlowContext, update: AnswerUpdate): AnswerResult {
  const key = toAnswerKey(update)
  if (findEarly(flow, key) === undefined) flow.earlyAnswers = [...(flow.earlyAnswers ?? []), update]
  const { step, answer, fields, by } = findEarly(flow, key) ?? update
  return { step, answer, fields: fields ?? {}, by: by ?? null, answeredAt: new Date(flow.runtime.now()).toISOString() }
}

/** Answers the steps that the flow has reached, if their answers came before. */
export function applyEarlyAnswers(flow: PlannedFlow): void {
  if (flow.earlyAnswers === undefined) return
  for (const token of flow.progress.tokens) applyTo(flow, token)
}

function applyTo(flow: PlannedFlow, token: Token): void {
  const { progress } = flow
  const step = stepOf(progress, token)
  if (step?.kind !== 'ask' || !isIn(progress, token, step)) return
  const key = toValueKey(token.id, step.name)
  const update = findEarly(flow, key) ?? findEarly(flow, toEffectKey(token.id, step.name))
  if (update === undefined) return
  flow.earlyAnswers = flow.earlyAnswers?.filter(other => other !== update)
  if (progress.answered[key] !== undefined) return
  // A flow without its plan could not check it.
  const declared = findDeclared(step, update)
  if (declared === undefined || checkFields(declared, update.fields ?? {}).length > 0) {
    recordRejection(flow, `the step ${key} does not have the answer that it got before the reset`)
    return
  }
  try {
    keepAnswer(flow, token, step, update)
  } catch (error) {
    recordRejection(flow, `the answer to ${key} from before the reset was refused: ${toErrorCode(error)}`)
  }
}
