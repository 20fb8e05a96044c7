import { canonicalJson } from '#contract/terms'
import { type AnswerResult, type AnswerUpdate, checkFields, type Json, type PlannedAsk, pickFields } from '#flows'
import { type FlowContext, isCancelled, type PlannedFlow, requirePlanned } from '../context.ts'
import { noteRecordedEvent } from '../continueAsNew.ts'
import { flowFailure, toFlowFailure } from '../failures.ts'
import { currentStep, isIn } from '../progress.ts'
import { keepOutput } from '../steps/settle.ts'
import { validate as validateNotEnded } from './cancel.ts'

/** Characters of `by`. */
const maxLength = 64

/**
 * Rejects an answer to a step that the flow has not asked yet, an answer or fields that the step does not allow, and
 * another answer than the one that was given. While the flow ends, its answers can still be repeated: a caller whose
 * response was lost learns the result.
 */
export function validate(flow: FlowContext, update: AnswerUpdate): void {
  const isAnswered = flow.progress !== undefined && Object.hasOwn(flow.progress.answered, update?.step)
  if (!isAnswered) {
    validateNotEnded(flow)
    if (isCancelled(flow) || flow.progress?.ending !== undefined) {
      throw flowFailure('FlowEnded', 'The flow is being ended, so it needs no answer.')
    }
  }
  const { by } = update ?? {}
  if (by !== undefined && by !== null && (typeof by !== 'string' || by === '' || by.length > maxLength)) {
    throw flowFailure('InvalidFlowInput', `by: must be a text of 1 to ${maxLength} characters, or missing.`)
  }
  if (flow.progress === undefined) throw flowFailure('NotAskedYet', 'The flow is not planned yet, so it asks nothing.')
  checkAnswer(requirePlanned(flow), update)
}

/**
 * Keeps the answer as the output of the step. The same answer again returns the result of the first one. Checks nothing: in
 * a replay, a field of a removed account is a text, whatever its type (D-196).
 */
export function handle(flow: FlowContext, update: AnswerUpdate): AnswerResult {
  const planned = requirePlanned(flow)
  noteRecordedEvent(flow)
  const step = requireAsked(planned.progress, update)
  if (planned.progress.answered[step.name] === undefined) keep(planned, step, update)
  return toResult(planned, step)
}

/** @throws ApplicationFailure with InvalidFlowInput, NotAskedYet or AlreadyAnswered */
function checkAnswer({ progress }: PlannedFlow, update: AnswerUpdate): void {
  const step = requireAsked(progress, update)
  const { name } = step
  // A list with one text would be found by it, and would equal no answer in a condition.
  const declared = typeof update.answer === 'string' ? findDeclared(step, update) : undefined
  if (declared === undefined) {
    throw flowFailure('InvalidFlowInput', `answer: must be one of ${Object.keys(step.answers).join(', ')}.`)
  }
  const faults = checkFields(declared, update.fields ?? {})
  if (faults.length > 0) throw flowFailure('InvalidFlowInput', faults.join(' '))
  if (progress.answered[name] === undefined) {
    if (isIn(progress, step)) return
    throw flowFailure('NotAskedYet', `The flow does not ask ${name} now.`)
  }
  const isSame = canonicalJson(progress.outputs[name]) === canonicalJson(toOutput(step, update))
  if (!isSame) throw flowFailure('AlreadyAnswered', `The step ${name} has another answer already.`)
}

/** @throws ApplicationFailure with InvalidFlowInput */
function requireAsked(progress: PlannedFlow['progress'], update: AnswerUpdate): PlannedAsk {
  const step = findAsked(progress, update?.step)
  if (step !== undefined) return step
  const asked = progress.plan.steps.filter(({ kind }) => kind === 'ask')
  const names = [...new Set(asked.map(({ name }) => name))].join(', ')
  throw flowFailure('InvalidFlowInput', `step: must be one of the steps that ask: ${names || '(none)'}.`)
}

function findDeclared({ answers }: PlannedAsk, { answer }: AnswerUpdate) {
  return Object.hasOwn(answers, answer) ? answers[answer] : undefined
}

function toOutput(step: PlannedAsk, update: AnswerUpdate): Record<string, Json> {
  const fields = pickFields(findDeclared(step, update) ?? {}, update.fields ?? {}) as Record<string, Json>
  return { ...fields, answer: update.answer }
}

/** The step of that name that the flow asks now; else the first one. A name can occur twice, under different conditions. */
function findAsked(progress: PlannedFlow['progress'], name: unknown): PlannedAsk | undefined {
  const current = currentStep(progress)
  if (current?.kind === 'ask' && current.name === name) return current
  return progress.plan.steps.find((step): step is PlannedAsk => step.kind === 'ask' && step.name === name)
}

function keep(flow: PlannedFlow, step: PlannedAsk, update: AnswerUpdate): void {
  const { progress, runtime } = flow
  const tooLarge = keepOutput(progress, step, toOutput(step, update))
  if (tooLarge !== undefined) throw toFlowFailure(tooLarge)
  progress.answered[step.name] = { by: update.by ?? null, at: new Date(runtime.now()).toISOString() }
  flow.needsEvaluation = true
}

function toResult({ progress }: PlannedFlow, { name }: PlannedAsk): AnswerResult {
  const given = progress.answered[name]
  if (given === undefined) throw new Error(`The step ${name} has no answer.`)
  const { answer, ...fields } = progress.outputs[name] as Record<string, Json>
  return { step: name, answer: String(answer), fields, by: given.by, answeredAt: given.at }
}
