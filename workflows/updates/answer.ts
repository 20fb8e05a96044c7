import { canonicalJson } from '#contract/terms'
import {
  type AnswerResult,
  type AnswerUpdate,
  checkFields,
  type Json,
  jsonBytes,
  outputLimits,
  type PlannedAsk,
} from '#flows'
import { type FlowContext, isAfterReset, isCancelled, type PlannedFlow, requirePlanned } from '../context.ts'
import { noteRecordedEvent } from '../continueAsNew.ts'
import { flowFailure } from '../failures.ts'
import { findTokenIn } from '../progress.ts'
import { findAsked, findDeclared, keepAnswer, toOutput } from './answers.ts'
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
  const step = requireAsked(planned.progress, update)
  if (planned.progress.answered[step.name] === undefined) keepAnswer(planned, step, update)
  return toResult(planned, step)
}

/** @throws ApplicationFailure with InvalidFlowInput, NotAskedYet or AlreadyAnswered */
function checkAnswer(flow: PlannedFlow, update: AnswerUpdate): void {
  const { progress } = flow
  const step = requireAsked(progress, update)
  const { name } = step
  const declared = findDeclared(step, update)
  if (declared === undefined) {
    throw flowFailure('InvalidFlowInput', `answer: must be one of ${Object.keys(step.answers).join(', ')}.`)
  }
  const faults = checkFields(declared, update.fields ?? {})
  if (faults.length > 0) throw flowFailure('InvalidFlowInput', faults.join(' '))
  const early = findEarly(flow, name)
  if (progress.answered[name] === undefined && early === undefined) {
    if (findTokenIn(progress, step) !== undefined || isAfterReset(flow)) return
    throw flowFailure('NotAskedYet', `The flow does not ask ${name} now.`)
  }
  const given = early === undefined ? progress.outputs[name] : toOutput(step, early)
  const isSame = canonicalJson(given) === canonicalJson(toOutput(step, update))
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

function toResult({ progress }: PlannedFlow, { name }: PlannedAsk): AnswerResult {
  const given = progress.answered[name]
  if (given === undefined) throw new Error(`The step ${name} has no answer.`)
  const { answer, ...fields } = progress.outputs[name] as Record<string, Json>
  return { step: name, answer: String(answer), fields, by: given.by, answeredAt: given.at }
}
