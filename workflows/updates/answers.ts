import { type AnswerUpdate, type Json, type PlannedAsk, type PlannedStep, pickFields } from '#flows'
import { keepOutput, noteAnswered } from '../answers.ts'
import type { PlannedFlow } from '../context.ts'
import { toFlowFailure } from '../failures.ts'
import { stepOf } from '../progress.ts'

/** The step of that name that the flow asks now; else the first one. A name can occur twice, under different conditions. */
export function findAsked(progress: PlannedFlow['progress'], name: unknown): PlannedAsk | undefined {
  const isAsked = (step: PlannedStep | undefined): step is PlannedAsk => step?.kind === 'ask' && step.name === name
  const current = progress.tokens.map(token => stepOf(progress, token)).find(isAsked)
  return current ?? progress.plan.steps.find(isAsked)
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
export function keepAnswer(flow: PlannedFlow, step: PlannedAsk, update: AnswerUpdate): void {
  const { progress, runtime } = flow
  const tooLarge = keepOutput(progress, step, toOutput(step, update))
  if (tooLarge !== undefined) throw toFlowFailure(tooLarge)
  noteAnswered(progress, step, update, runtime.now())
  flow.needsEvaluation = true
}
