import { type AnswerUpdate, type Json, type PlannedAsk, type PlannedStep, pickFields } from '#flows'
import { keepOutput, noteAnswered } from '../answers.ts'
import type { PlannedFlow } from '../context.ts'
import { toFlowFailure } from '../failures.ts'
import { type FlowProgress, isIn, stepOf } from '../progress.ts'
import { toEffectKey, toName, toValueKey } from '../scopes.ts'
import type { Token } from '../tokens.ts'

/** A step that asks, the key of its answer, and the token that is in it or enters it next. */
export interface Asked {
  readonly step: PlannedAsk
  readonly key: string
  readonly token: Token | undefined
}

/** The key of the answered step, as the caller names it: with its item, or `fit[A-1]`. */
export function toAnswerKey({ step, item }: Pick<AnswerUpdate, 'step' | 'item'>): string {
  return item === undefined || item === null ? step : `${step}[${encodeURIComponent(item)}]`
}

/** Those that are asked now under a key, or under the name of a step in several items; else the step of that name. */
export function findAsked(progress: FlowProgress, key: string): Asked[] {
  const asked = progress.tokens.flatMap(token => {
    const step = stepOf(progress, token)
    if (step?.kind !== 'ask' || step.name !== toName(key)) return []
    return [{ step, key: toValueKey(token.id, step.name), token, effect: toEffectKey(token.id, step.name) }]
  })
  const exact = asked.filter(each => each.key === key || each.effect === key)
  if (exact.length > 0) return exact
  if (asked.length > 0 && key === toName(key) && !Object.hasOwn(progress.answered, key)) return asked
  const isDeclared = (step: PlannedStep): step is PlannedAsk => step.kind === 'ask' && step.name === toName(key)
  const step = progress.plan.steps.find(isDeclared)
  return step === undefined ? [] : [{ step, key, token: undefined }]
}

/** True if the flow asks this now: a token that has just come to the step may leave it out. */
export function isAskedNow(progress: FlowProgress, { step, token }: Asked): boolean {
  return token !== undefined && isIn(progress, token, step)
}

/** The fields of the answer in the declaration of the step; undefined if the step has no such answer. */
export function findDeclared({ answers }: PlannedAsk, { answer }: AnswerUpdate) {
  // A list with one text would be found by it, and would equal no answer in a condition.
  return typeof answer === 'string' && Object.hasOwn(answers, answer) ? answers[answer] : undefined
}

/** The output of a step with this answer. */
export function toOutput(step: PlannedAsk, update: AnswerUpdate): Record<string, Json> {
  const fields = pickFields(findDeclared(step, update) ?? {}, update.fields ?? {}) as Record<string, Json>
  return { ...fields, answer: update.answer }
}

/** @throws ApplicationFailure if the output is too large */
export function keepAnswer(flow: PlannedFlow, token: Token, step: PlannedAsk, update: AnswerUpdate): void {
  const { progress, runtime } = flow
  const tooLarge = keepOutput(progress, token, step, toOutput(step, update))
  if (tooLarge !== undefined) throw toFlowFailure(tooLarge)
  noteAnswered(progress, toValueKey(token.id, step.name), update, runtime.now())
  flow.needsEvaluation = true
}
