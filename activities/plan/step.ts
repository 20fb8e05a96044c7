import {
  type Json,
  kindOf,
  type PlannedGoTo,
  type PlannedOnError,
  type PlannedStep,
  type Planning,
  pathsIn,
  resolve,
  type Source,
  simplify,
  type Values,
} from '#flows'
import type { FlowDeclaration, GoTo, OnError, Step } from '#flows/declaration'
import { addCancels, keptIn, type StepDraft } from './cancels.ts'
import { rejectLargeStep } from './input.ts'
import { requireOperation, sourceInCasing, toCallRequest, toRequest } from './request.ts'
import { planRoles } from './roles.ts'
import { rejectWindows, type ScaledInput, toEffectLength, toTimedWindow, toWindow } from './windows.ts'

interface Context {
  readonly input: ScaledInput
  readonly values: Values
  /** The input is the checked request of an operation. */
  readonly isRequest: boolean
  /** The step to which a `goTo` of this step leads for this input. */
  readonly follow: (from: Step, goTo: GoTo) => PlannedGoTo
}

/** The steps that the input does not leave out. */
export function planSteps(declaration: FlowDeclaration, values: Values, input: ScaledInput): PlannedStep[] {
  const all = declaration.steps.map((step, declared) => ({
    step,
    declared,
    when: step.when === undefined ? true : simplify(step.when, values, isInput),
  }))
  const planned = all.filter(({ when }) => when !== false)
  rejectWindows(
    planned.map(({ step }) => step),
    input,
  )
  const context: Context = {
    input,
    values,
    isRequest: declaration.input === undefined,
    follow: (from, { goTo }) => {
      const index = all.findIndex(({ step }) => step === from)
      // A name can occur twice, under conditions that exclude each other.
      const target = all.findIndex(({ step }, at) => at > index && step.name === goTo)
      const next = target < 0 ? undefined : planned.find(({ declared }) => declared >= target)
      if (next === undefined) return { goTo: 'end' }
      const { name } = next.step
      const nearest = planned.find(({ step, declared }) => declared > index && step.name === name)
      return { goTo: name, ...(nearest !== next && { index: planned.indexOf(next) }) }
    },
  }
  const drafts = planned.map(({ step, when, declared }, index) => {
    const { name, summary, leaves } = step
    const common = {
      name,
      summary,
      ...(typeof when === 'object' && { when }),
      ...(leaves !== undefined && { leaves }),
      ...(declared !== index && { declared }),
    }
    const onError = 'onError' in step && step.onError && { onError: followAll(step, step.onError, context) }
    return { ...kindOf(step).plan(step, planningOf(step, context)), ...onError, ...common } as StepDraft
  })
  return addCancels(drafts, index => keptIn(planned[index]?.step))
}

function planningOf(step: Step, context: Context): Planning {
  const { input, values, follow } = context
  const { name } = step
  return {
    window: end => toWindow(name, end, input, values),
    timedWindow: end => toTimedWindow(name, end, input, values),
    length: (end, otherwise) => toEffectLength(name, end, input, otherwise),
    onTimeout: policy => (typeof policy === 'object' ? follow(step, policy) : (policy ?? null)),
    rejectLarge(value) {
      if (pathsIn(value).every(isInput)) rejectLargeStep(name, resolve(value, values))
    },
    bookingRequest: (operation, request) => toRequestSource(operation, request, context, toRequest),
    callRequest: (operation, request) => toRequestSource(operation, request, context, toCallRequest),
    roles: planRoles,
  }
}

/**
 * The request of a step. One that reads the input only is checked now, and not days later, when the flow comes to it.
 * @param check returns the request as it is sent
 */
function toRequestSource(
  operation: string,
  request: Source | undefined,
  { input, values, isRequest }: Context,
  check: typeof toRequest,
): Source {
  if (request !== undefined && !pathsIn(request).every(isInput)) return sourceInCasing(operation, request)
  if (request === undefined && isRequest) return { value: values.input ?? null }
  const value = request === undefined ? values.input : resolve(request, values)
  return { value: check(requireOperation(operation), value as Record<string, unknown>, input.caseNo) as Json }
}

function followAll(step: Step, onError: OnError, { follow }: Context): PlannedOnError {
  return Object.fromEntries(
    Object.entries(onError).map(([code, way]) => [code, typeof way === 'object' ? follow(step, way) : way]),
  )
}

function isInput(path: string): boolean {
  return path.startsWith('input.')
}
