import { canonicalJson } from '#contract/terms'
import { type AnswerResult, type AnswerUpdate, checkFields, type Json, jsonBytes, outputLimits } from '#flows'
import { type FlowContext, isAfterReset, isCancelled, type PlannedFlow, requirePlanned } from '../context.ts'
import { noteRecordedEvent } from '../continueAsNew.ts'
import { flowFailure } from '../failures.ts'
import { type Asked, findAsked, findDeclared, isAskedNow, keepAnswer, toAnswerKey, toOutput } from './answers.ts'
import { validateNotEnded } from './cancel.ts'
import { findEarly, isEarly, keepEarly } from './earlyAnswers.ts'

/** Characters of `by`. */
const maxLength = 64

/**
 * Rejects an answer to a step that the flow has not asked yet, an answer or fields that the step does not allow, and
 * another answer than the one that was given. While the flow ends, its answers can still be repeated: a caller whose
 * response was lost learns the result. After a reset, a step can be answered before it is asked.
 */
export function validate(flow: FlowContext, update: AnswerUpdate): void {
  checkStep(update)
  const isAnswered = flow.progress !== undefined && Object.hasOwn(flow.progress.answered, toAnswerKey(update))
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
  if (flow.progress !== undefined) checkAnswer(requirePlanned(flow), update)
  else if (!isAfterReset(flow)) throw flowFailure('NotAskedYet', 'The flow is not planned yet, so it asks nothing.')
  // An answer to the current step is measured with the other outputs. One that waits for its step is passed to each new run.
  if (isEarly(flow, update) && jsonBytes(update.fields ?? {}) > outputLimits.step) {
    throw flowFailure('OutputTooLarge', `fields: must have at most ${outputLimits.step} bytes.`)
  }
}

/** Keeps the answer as the output of the step. The same answer again returns the result of the first one. */
export function handle(flow: FlowContext, update: AnswerUpdate): AnswerResult {
  noteRecordedEvent(flow)
  if (isEarly(flow, update)) return keepEarly(flow, update)
  const planned = requirePlanned(flow)
  const asked = requireAsked(planned.progress, update)
  const { step, key, token } = asked
  if (planned.progress.answered[key] === undefined && token !== undefined) keepAnswer(planned, token, step, update)
  return toResult(planned, asked)
}

/** @throws ApplicationFailure with InvalidFlowInput, NotAskedYet or AlreadyAnswered */
function checkAnswer(flow: PlannedFlow, update: AnswerUpdate): void {
  const { progress } = flow
  const asked = requireAsked(progress, update)
  const { step, key } = asked
  const declared = findDeclared(step, update)
  if (declared === undefined) {
    throw flowFailure('InvalidFlowInput', `answer: must be one of ${Object.keys(step.answers).join(', ')}.`)
  }
  const faults = checkFields(declared, update.fields ?? {})
  if (faults.length > 0) throw flowFailure('InvalidFlowInput', faults.join(' '))
  const early = findEarly(flow, key)
  if (progress.answered[key] === undefined && early === undefined) {
    if (isAskedNow(progress, asked) || isAfterReset(flow)) return
    throw flowFailure('NotAskedYet', `The flow does not ask ${key} now.`)
  }
  const given = early === undefined ? progress.outputs[key] : toOutput(step, early)
  const isSame = canonicalJson(given) === canonicalJson(toOutput(step, update))
  if (!isSame) throw flowFailure('AlreadyAnswered', `The step ${key} has another answer already.`)
}

/** @throws ApplicationFailure with InvalidFlowInput */
function checkStep(update: AnswerUpdate | undefined): void {
  if (typeof update?.step !== 'string')
    throw flowFailure('InvalidFlowInput', 'step: must be the name of a step that asks.')
  const { item } = update
  if (item === undefined || item === null || (typeof item === 'string' && item !== '')) return
  throw flowFailure('InvalidFlowInput', 'item: must be the key of an item, or missing.')
}

/** @throws ApplicationFailure with InvalidFlowInput */
function requireAsked(progress: PlannedFlow['progress'], update: AnswerUpdate): Asked {
  const [asked, ...others] = findAsked(progress, toAnswerKey(update))
  if (asked !== undefined && others.length === 0) return asked
  if (asked !== undefined) {
    const keys = [asked, ...others].map(({ key }) => key).join(', ')
    throw flowFailure('InvalidFlowInput', `item: must be given, since several items ask: ${keys}.`)
  }
  const names = progress.plan.steps.flatMap(({ kind, name }) => (kind === 'ask' ? [name] : []))
  const known = [...new Set(names)].join(', ')
  throw flowFailure('InvalidFlowInput', `step: must be one of the steps that ask: ${known || '(none)'}.`)
}

function toResult({ progress }: PlannedFlow, { key }: Asked): AnswerResult {
  const given = progress.answered[key]
  if (given === undefined) throw new Error(`The step ${key} has no answer.`)
  const { answer, ...fields } = progress.outputs[key] as Record<string, Json>
  return { step: key, answer: String(answer), fields, by: given.by, answeredAt: given.at }
}
