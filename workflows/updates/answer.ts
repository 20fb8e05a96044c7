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

/** Keeps the answer as the output of the step. The same answer again returns the result of the first one. */
export function handle(flow: FlowContext, update: AnswerUpdate): AnswerResult {
  const planned = requirePlanned(flow)
  noteRecordedEvent(flow)
  const { step, fields, isGiven } = checkAnswer(planned, update)
  if (!isGiven) keep(planned, step, update, fields)
  return toResult(planned, step)
}

/** @throws ApplicationFailure with InvalidFlowInput, NotAskedYet or AlreadyAnswered */
function checkAnswer({ progress }: PlannedFlow, update: AnswerUpdate) {
  const { plan, answered, outputs } = progress
  const asked = plan.steps.filter(candidate => candidate.kind === 'ask')
  const step = findAsked(progress, update?.step)
  if (step === undefined) {
    const names = [...new Set(asked.map(({ name }) => name))].join(', ')
    throw flowFailure('InvalidFlowInput', `step: must be one of the steps that ask: ${names || '(none)'}.`)
  }
  const { name } = step
  const declared = Object.hasOwn(step.answers, update.answer) ? step.answers[update.answer] : undefined
  if (declared === undefined) {
    throw flowFailure('InvalidFlowInput', `answer: must be one of ${Object.keys(step.answers).join(', ')}.`)
  }
  const given = update.fields ?? {}
  const faults = checkFields(declared, given)
  if (faults.length > 0) throw flowFailure('InvalidFlowInput', faults.join(' '))
  const fields = pickFields(declared, given) as Record<string, Json>
  const isGiven = answered[name] !== undefined
  if (isGiven) {
    const isSame = canonicalJson(outputs[name]) === canonicalJson({ ...fields, answer: update.answer })
    if (isSame) return { step, fields, isGiven }
    throw flowFailure('AlreadyAnswered', `The step ${name} has another answer already.`)
  }
  if (isIn(progress, step)) return { step, fields, isGiven }
  throw flowFailure('NotAskedYet', `The flow does not ask ${name} now.`)
}

/** The step of that name that the flow asks now; else the first one. A name can occur twice, under different conditions. */
function findAsked(progress: PlannedFlow['progress'], name: unknown): PlannedAsk | undefined {
  const current = currentStep(progress)
  if (current?.kind === 'ask' && current.name === name) return current
  return progress.plan.steps.find((step): step is PlannedAsk => step.kind === 'ask' && step.name === name)
}

function keep(flow: PlannedFlow, step: PlannedAsk, { answer, by }: AnswerUpdate, fields: Record<string, Json>): void {
  const { progress, runtime } = flow
  const tooLarge = keepOutput(progress, step, { ...fields, answer })
  if (tooLarge !== undefined) throw toFlowFailure(tooLarge)
  progress.answered[step.name] = { by: by ?? null, at: new Date(runtime.now()).toISOString() }
  flow.needsEvaluation = true
}

function toResult({ progress }: PlannedFlow, { name }: PlannedAsk): AnswerResult {
  const given = progress.answered[name]
  if (given === undefined) throw new Error(`The step ${name} has no answer.`)
  const { answer, ...fields } = progress.outputs[name] as Record<string, Json>
  return { step: name, answer: String(answer), fields, by: given.by, answeredAt: given.at }
}
